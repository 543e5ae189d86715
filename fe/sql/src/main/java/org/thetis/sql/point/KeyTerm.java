// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.point;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.expr.Literal;

/**
 * What one key column shall equal.
 *
 * @param sources one for `=`, any number for IN
 */
record KeyTerm(KeyColumn column, List<Source> sources, boolean isList) {
    KeyTerm {
        sources = List.copyOf(sources);
    }

    /**
     * Where a constant comes from.
     *
     * @param parameter its ordinal; negative for a constant of the statement
     * @param negated whether the value has a minus sign before it
     */
    record Source(int parameter, @Nullable Literal constant, boolean negated) {
        Source negate() {
            return new Source(parameter, constant, true);
        }

        /** The value, or null when it is not one that a key can be told from. */
        @Nullable
        Literal value(List<Literal> parameters) {
            Literal literal = constant == null ? parameters.get(parameter) : constant;
            return negated ? minus(literal) : literal;
        }

        private static @Nullable Literal minus(Literal literal) {
            Object value = literal.value();
            if (value == null) {
                return literal;
            }
            if (value instanceof Long number && literal.type().isInteger()) {
                return number == Long.MIN_VALUE ? null : Literal.integer(BigInteger.valueOf(-number));
            }
            if (value instanceof BigInteger number) {
                return Literal.integer(number.negate());
            }
            return value instanceof BigDecimal decimal ? new Literal(decimal.negate(), literal.type()) : null;
        }
    }

    /** The only value the column may have, NOTHING, or null when a full plan has to compare. Only for terms of one source. */
    @Nullable
    Literal single(List<Literal> parameters) {
        Literal value = sources.get(0).value(parameters);
        if (value == null) {
            return null;
        }
        Literal converted = column.convert(value);
        boolean strange =
                converted != null && isList && KeyColumn.isNothing(converted) && !value.isNull() && !isInteger(value);
        return strange ? null : converted;
    }

    /** The values the column may have, without those that equal nothing; null when a full plan has to compare. */
    @Nullable
    List<Literal> values(List<Literal> parameters) {
        List<Literal> values = new ArrayList<>(sources.size());
        boolean allIntegers = true;
        boolean leftOut = false;
        for (Source source : sources) {
            Literal value = source.value(parameters);
            Literal converted = value == null ? null : column.convert(value);
            if (value == null || converted == null) {
                return null;
            }
            if (!value.isNull()) {
                allIntegers &= isInteger(value);
                leftOut |= KeyColumn.isNothing(converted);
            }
            if (!KeyColumn.isNothing(converted)) {
                values.add(converted);
            }
        }
        // A list with a value that the column cannot hold is compared in a type common to all of it.
        return leftOut && isList && !allIntegers ? null : values;
    }

    private static boolean isInteger(Literal value) {
        return value.type().isInteger();
    }
}
