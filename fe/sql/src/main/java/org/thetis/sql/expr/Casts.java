// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.expr;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.type.DataType;
import org.thetis.catalog.type.TypeId;

/**
 * Conversion of literals, as far as front end and back end cannot differ: exact values in range. Everything else stays a Cast for
 * the back end.
 */
public final class Casts {
    private static final Pattern NUMBER = Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d{1,3})?");

    private Casts() {}

    /** Whether every non-NULL value of one type has a non-NULL value in the other. */
    public static boolean neverFails(DataType from, DataType to) {
        if (from.equals(to) || to.isText()) {
            return true;
        }
        boolean fromNumber = from.isNumeric() || from.id() == TypeId.BOOLEAN;
        boolean toNumber = to.isNumeric() || to.id() == TypeId.BOOLEAN;
        if (fromNumber && toNumber) {
            return !from.isFloatingPoint() || to.isFloatingPoint() || to.id() == TypeId.BOOLEAN;
        }
        if (from.isDateLike()) {
            return to.isDateLike() || to.id() == TypeId.BIGINT;
        }
        return from.id() == TypeId.TIME && to.id() == TypeId.TIME;
    }

    /** The literal as a value of the type, or null when the conversion is to be left to the back end. */
    public static @Nullable Literal fold(Literal literal, DataType type) {
        if (literal.type().equals(type)) {
            return literal;
        }
        Object value = literal.value();
        if (value == null) {
            return Literal.nullOf(type);
        }
        return switch (type.id()) {
            case BOOLEAN -> toBoolean(literal);
            case TINYINT -> toInteger(literal, type, 8);
            case SMALLINT -> toInteger(literal, type, 16);
            case INT -> toInteger(literal, type, 32);
            case BIGINT -> toInteger(literal, type, 64);
            case LARGEINT -> toInteger(literal, type, 128);
            case FLOAT, DOUBLE -> toDouble(literal, type);
            case DECIMAL -> toDecimal(literal, type);
            case DATE ->
                toMicros(literal)
                        .map(micros -> Literal.date(Math.floorDiv(micros, DateTimes.MICROS_PER_DAY)))
                        .orElse(null);
            case DATETIME ->
                toMicros(literal)
                        .map(micros -> DateTimes.round(micros, type.scale()))
                        .filter(DateTimes::inRange)
                        .map(micros -> new Literal(micros, type))
                        .orElse(null);
            case CHAR, VARCHAR, STRING -> toText(literal, type);
            default -> null;
        };
    }

    /** The exact number that a literal of a numeric, boolean or text type holds. */
    public static Optional<BigDecimal> number(Literal literal) {
        Object value = literal.value();
        if (value instanceof BigDecimal decimal) {
            return Optional.of(decimal);
        }
        if (value instanceof BigInteger integer) {
            return Optional.of(new BigDecimal(integer));
        }
        if (value instanceof Boolean truth) {
            return Optional.of(truth ? BigDecimal.ONE : BigDecimal.ZERO);
        }
        if (value instanceof Double number) {
            return Double.isFinite(number) ? Optional.of(BigDecimal.valueOf(number)) : Optional.empty();
        }
        if (value instanceof Long number) {
            return switch (literal.type().id()) {
                case DATE -> Optional.of(BigDecimal.valueOf(DateTimes.dateNumber(number)));
                case DATETIME, TIME -> Optional.empty();
                default -> Optional.of(BigDecimal.valueOf(number));
            };
        }
        if (value instanceof String text && NUMBER.matcher(text.strip()).matches()) {
            return Optional.of(new BigDecimal(text.strip()));
        }
        return Optional.empty();
    }

    private static @Nullable Literal toBoolean(Literal literal) {
        if (literal.value() instanceof String text) {
            String word = text.strip().toLowerCase(Locale.ROOT);
            if (word.equals("true") || word.equals("false")) {
                return Literal.of(word.equals("true"));
            }
        }
        return number(literal).map(n -> Literal.of(n.signum() != 0)).orElse(null);
    }

    private static @Nullable Literal toInteger(Literal literal, DataType type, int bits) {
        if (literal.value() instanceof Double) {
            return null;
        }
        if (literal.value() instanceof Long number && literal.type().isInteger() && bits <= Long.SIZE) {
            long sign = number >> (bits - 1);
            return sign == 0 || sign == -1 ? new Literal(number, type) : null;
        }
        Optional<BigInteger> exact =
                number(literal).map(n -> n.setScale(0, RoundingMode.DOWN).toBigInteger());
        if (exact.isEmpty() || exact.get().bitLength() >= bits) {
            return null;
        }
        return new Literal(bits == 128 ? exact.get() : (Object) exact.get().longValueExact(), type);
    }

    private static @Nullable Literal toDouble(Literal literal, DataType type) {
        Optional<BigDecimal> exact = number(literal);
        if (exact.isEmpty()) {
            return null;
        }
        double value = exact.get().doubleValue();
        return Double.isInfinite(value)
                ? null
                : new Literal(type.id() == TypeId.FLOAT ? (double) (float) value : value, type);
    }

    private static @Nullable Literal toDecimal(Literal literal, DataType type) {
        if (literal.value() instanceof Double) {
            return null;
        }
        Optional<BigDecimal> exact = number(literal).map(n -> n.setScale(type.scale(), RoundingMode.HALF_UP));
        if (exact.isEmpty()
                || exact.get().precision() - exact.get().scale() > type.precision() - type.scale()
                        && exact.get().signum() != 0) {
            return null;
        }
        return exact.get().precision() > type.precision() ? null : new Literal(exact.get(), type);
    }

    /** Microseconds of a literal that reads as a date or a date with time. */
    public static Optional<Long> toMicros(Literal literal) {
        Object value = literal.value();
        if (value == null) {
            return Optional.empty();
        }
        return switch (literal.type().id()) {
            case DATE -> Optional.of(literal.longValue() * DateTimes.MICROS_PER_DAY);
            case DATETIME -> Optional.of(literal.longValue());
            case CHAR, VARCHAR, STRING -> DateTimes.parseMicros(value.toString());
            case INT, BIGINT -> DateTimes.parseMicros(value.toString());
            default -> Optional.empty();
        };
    }

    private static @Nullable Literal toText(Literal literal, DataType type) {
        if (literal.value() instanceof Double || literal.type().id() == TypeId.JSON) {
            return null;
        }
        String text = literal.text();
        if (text == null) {
            return null;
        }
        if (type.id() != TypeId.STRING && text.length() > type.length()) {
            boolean ascii = text.chars().allMatch(c -> c < 128);
            return ascii ? new Literal(text.substring(0, type.length()), type) : null;
        }
        return new Literal(text, type);
    }
}
