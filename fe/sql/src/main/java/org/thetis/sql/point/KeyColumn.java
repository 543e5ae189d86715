// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.point;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.type.DataType;
import org.thetis.catalog.type.TypeId;
import org.thetis.sql.expr.ColumnOrigin;
import org.thetis.sql.expr.ExprId;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.functions.Coercion;

/**
 * Turns constants compared with one key column into the one value of the column that equals them, by the rules of a full plan.
 * Immutable.
 */
final class KeyColumn {
    /** Given for a constant that equals no value of the column. */
    static final Literal NOTHING = Literal.untypedNull();

    /** Whether a converted constant is {@link #NOTHING}. */
    @SuppressWarnings("ReferenceEquality") // It is a mark, not a value.
    static boolean isNothing(Literal converted) {
        return converted == NOTHING;
    }

    private final DataType type;
    private final int width;
    private final long min;
    private final long max;
    private final SlotReference slot;

    KeyColumn(String name, DataType type) {
        this.type = type;
        this.width = width(type);
        int bits = type.isInteger() ? width * Byte.SIZE : 0;
        boolean narrow = bits > 0 && bits <= Long.SIZE;
        this.min = narrow ? -1L << (bits - 1) : Long.MAX_VALUE;
        this.max = narrow ? ~min : Long.MIN_VALUE;
        this.slot = new SlotReference(new ExprId(0), null, name, type, false, new ColumnOrigin("", "", name));
    }

    /** Bytes of a value as keys and hashes have it; 0 for text. */
    private static int width(DataType type) {
        return switch (type.physical()) {
            case BOOL, INT8 -> 1;
            case INT16 -> 2;
            case INT32 -> 4;
            case INT64 -> 8;
            case INT128 -> 16;
            default -> 0;
        };
    }

    /** Whether keys of this type can be told from constants at all. */
    static boolean isSupported(DataType type) {
        return switch (type.id()) {
            case BOOLEAN, TINYINT, SMALLINT, INT, BIGINT, LARGEINT, DECIMAL, DATE, DATETIME, CHAR, VARCHAR, STRING ->
                true;
            default -> false;
        };
    }

    DataType type() {
        return type;
    }

    /** Bytes a key of this column takes, roughly for text. */
    int sizeHint() {
        return width == 0 ? 4 + 28 : width;
    }

    /**
     * The constant as a value of the column, {@link #NOTHING} when it equals none, or null when only a comparison in another type
     * can tell.
     */
    @Nullable
    Literal convert(Literal literal) {
        Object value = literal.value();
        if (value == null) {
            return NOTHING;
        }
        if (value instanceof Long number && min <= max && literal.type().isInteger()) {
            return number >= min && number <= max ? literal : NOTHING;
        }
        if (value instanceof String && width == 0) {
            return literal;
        }
        return literal.type().equals(type) ? literal : fitted(literal);
    }

    private @Nullable Literal fitted(Literal literal) {
        Coercion.Pair pair = Coercion.comparison(slot, literal);
        if (pair.left() != slot || !(pair.right() instanceof Literal fitted) || fitted.isNull()) {
            return null;
        }
        if (type.id() == TypeId.DATETIME && fitted.type().id() == TypeId.DATETIME) {
            return fitted.longValue() % unit() == 0 ? fitted : NOTHING;
        }
        return Coercion.isSameForm(fitted.type(), type) ? fitted : null;
    }

    /** Microseconds between two neighbouring values of a DATETIME column. */
    private long unit() {
        long unit = 1;
        for (int digit = type.scale(); digit < DataType.MAX_TIME_SCALE; digit++) {
            unit *= 10;
        }
        return unit;
    }

    /** Appends a converted value as keys have it; gives where the bytes begin that a bucket's hash takes. */
    int write(Literal converted, KeyBytes out) {
        int begin = out.size();
        Object value = converted.value();
        if (value instanceof Long number) {
            if (width > Long.BYTES) {
                out.wide(BigInteger.valueOf(number));
            } else {
                out.fixed(number, width);
            }
        } else if (value instanceof String text) {
            out.text(text.getBytes(StandardCharsets.UTF_8));
            begin += Integer.BYTES;
        } else if (value instanceof Boolean truth) {
            out.fixed(truth ? 1 : 0, width);
        } else if (value instanceof BigInteger number) {
            out.wide(number);
        } else if (value instanceof BigDecimal decimal) {
            BigInteger unscaled = decimal.setScale(type.scale()).unscaledValue();
            if (width > Long.BYTES) {
                out.wide(unscaled);
            } else {
                out.fixed(unscaled.longValueExact(), width);
            }
        } else {
            throw new IllegalStateException("a value of type " + type + " cannot be a key");
        }
        return begin;
    }
}
