// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.expr;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.OptionalInt;

/** Order of literals of one type, as back ends compare values. */
public final class LiteralOrder {
    private LiteralOrder() {}

    /** Sign of left - right; empty when a side is NULL or the types do not compare here. */
    public static OptionalInt compare(Literal left, Literal right) {
        Object a = left.value();
        Object b = right.value();
        if (a == null || b == null) {
            return OptionalInt.empty();
        }
        if (a instanceof String text && b instanceof String other) {
            return OptionalInt.of(Integer.signum(Arrays.compareUnsigned(
                    text.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8))));
        }
        if (a instanceof Boolean truth && b instanceof Boolean other) {
            return OptionalInt.of(Boolean.compare(truth, other));
        }
        if (a instanceof Long number && b instanceof Long other) {
            return OptionalInt.of(Long.compare(number, other));
        }
        if (a instanceof Double number && b instanceof Double other) {
            return number.isNaN() || other.isNaN()
                    ? OptionalInt.empty()
                    : OptionalInt.of(Double.compare(number + 0.0, other + 0.0));
        }
        if (a instanceof Number && b instanceof Number) {
            BigDecimal x = Casts.number(left).orElse(null);
            BigDecimal y = Casts.number(right).orElse(null);
            return x == null || y == null ? OptionalInt.empty() : OptionalInt.of(x.compareTo(y));
        }
        return OptionalInt.empty();
    }
}
