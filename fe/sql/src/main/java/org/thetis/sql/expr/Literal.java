// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.expr;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.type.DataType;
import org.thetis.catalog.type.TypeId;

/**
 * A constant. The Java value follows the type: Boolean; Long for TINYINT to BIGINT; BigInteger for LARGEINT; Double for FLOAT and
 * DOUBLE; BigDecimal of the type's scale; Long days for DATE, Long microseconds for DATETIME and TIME; String for text and JSON.
 */
public record Literal(@Nullable Object value, DataType type) implements Expr {
    private static final Literal TRUE = new Literal(true, DataType.BOOLEAN);
    private static final Literal FALSE = new Literal(false, DataType.BOOLEAN);

    /** TRUE or FALSE. */
    public static Literal of(boolean value) {
        return value ? TRUE : FALSE;
    }

    /** NULL of a type. */
    public static Literal nullOf(DataType type) {
        return new Literal(null, type);
    }

    /** NULL of no type yet. */
    public static Literal untypedNull() {
        return new Literal(null, DataType.NULL);
    }

    /** A BIGINT. */
    public static Literal bigint(long value) {
        return new Literal(value, DataType.BIGINT);
    }

    /** An INT. */
    public static Literal integer(int value) {
        return new Literal((long) value, DataType.INT);
    }

    /** Text. */
    public static Literal string(String value) {
        return new Literal(value, DataType.varchar(Math.max(1, value.length())));
    }

    /** The smallest integer type that holds the value; DOUBLE beyond LARGEINT. */
    public static Literal integer(BigInteger value) {
        int bits = value.bitLength();
        if (bits < 64) {
            long number = value.longValueExact();
            return new Literal(
                    number,
                    bits < 8
                            ? DataType.TINYINT
                            : bits < 16 ? DataType.SMALLINT : bits < 32 ? DataType.INT : DataType.BIGINT);
        }
        return bits < 128 ? new Literal(value, DataType.LARGEINT) : new Literal(value.doubleValue(), DataType.DOUBLE);
    }

    /** A DECIMAL of exactly the digits given; DOUBLE beyond 38 digits. */
    public static Literal decimal(BigDecimal value) {
        BigDecimal plain = value.scale() < 0 ? value.setScale(0) : value;
        int precision = Math.max(plain.precision(), plain.scale());
        return precision > 38
                ? new Literal(value.doubleValue(), DataType.DOUBLE)
                : new Literal(plain, DataType.decimal(Math.max(1, precision), plain.scale()));
    }

    /** A DATE. */
    public static Literal date(long days) {
        return new Literal(days, DataType.DATE);
    }

    /** A DATETIME with so many fraction digits. */
    public static Literal dateTime(long micros, int scale) {
        return new Literal(micros, DataType.datetime(scale));
    }

    /** Whether this is NULL. */
    public boolean isNull() {
        return value == null;
    }

    /** Whether this is the BOOLEAN TRUE. */
    public boolean isTrue() {
        return Boolean.TRUE.equals(value);
    }

    /** Whether this is the BOOLEAN FALSE, or NULL, so that a filter keeps nothing. */
    public boolean isNeverTrue() {
        return value == null || Boolean.FALSE.equals(value);
    }

    /** The value as a long, for integer, date and time types. */
    public long longValue() {
        return value instanceof Number number ? number.longValue() : Boolean.TRUE.equals(value) ? 1 : 0;
    }

    @Override
    public boolean nullable() {
        return value == null;
    }

    @Override
    public List<Expr> children() {
        return List.of();
    }

    @Override
    public Expr withChildren(List<Expr> children) {
        return this;
    }

    /** The value's text without quotes, as a client would see it; null for NULL. */
    public @Nullable String text() {
        Object v = value;
        if (v == null) {
            return null;
        }
        if (v instanceof Boolean truth) {
            return truth ? "1" : "0";
        }
        if (v instanceof BigDecimal decimal) {
            return decimal.toPlainString();
        }
        if (v instanceof Double number) {
            return DoubleText.shortest(number, type.id() == TypeId.FLOAT);
        }
        return switch (type.id()) {
            case DATE -> DateTimes.dateText(longValue());
            case DATETIME -> DateTimes.dateTimeText(longValue(), type.scale());
            case TIME -> DateTimes.timeText(longValue(), type.scale());
            default -> v.toString();
        };
    }

    @Override
    public String sql() {
        Object v = value;
        if (v == null) {
            return "NULL";
        }
        if (v instanceof Boolean truth) {
            return truth ? "TRUE" : "FALSE";
        }
        boolean quoted = v instanceof String
                || type.id() == TypeId.DATE
                || type.id() == TypeId.DATETIME
                || type.id() == TypeId.TIME;
        return quoted ? "'" + text() + "'" : String.valueOf(text());
    }
}
