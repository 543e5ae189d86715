// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.type;

import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;

/**
 * Text to value and back for the types partition keys are made of: integers, BOOLEAN (0 or 1), DATE (days since 1970-01-01) and
 * DATETIME (microseconds since then).
 */
public final class ScalarText {
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final long MICROS_PER_DAY = 86_400 * MICROS_PER_SECOND;
    private static final Pattern DATE_TIME = Pattern.compile(
            "(\\d{1,4})[-/](\\d{1,2})[-/](\\d{1,2})(?:[ T](\\d{1,2}):(\\d{1,2})(?::(\\d{1,2})(?:\\.(\\d{1,9}))?)?)?");
    private static final Pattern PACKED =
            Pattern.compile("(\\d{4})(\\d{2})(\\d{2})(?:T?(\\d{2})(\\d{2})(\\d{2})(?:\\.(\\d{1,9}))?)?");

    private ScalarText() {}

    /** Parses a value of the type; fails with INVALID_ARGUMENT naming type and text. */
    public static BigInteger parse(DataType type, String text) {
        String stripped = text.strip();
        return switch (type.id()) {
            case BOOLEAN -> parseBoolean(stripped);
            case TINYINT -> parseInteger(type, stripped, 7);
            case SMALLINT -> parseInteger(type, stripped, 15);
            case INT -> parseInteger(type, stripped, 31);
            case BIGINT -> parseInteger(type, stripped, 63);
            case LARGEINT -> parseInteger(type, stripped, 127);
            case DATE -> BigInteger.valueOf(Math.floorDiv(parseMicros(type, stripped), MICROS_PER_DAY));
            case DATETIME -> BigInteger.valueOf(truncate(parseMicros(type, stripped), type.scale()));
            default ->
                throw new ThetisException(
                        ErrorCode.INVALID_ARGUMENT, "values of type " + type + " have no order to partition by");
        };
    }

    /** The text SQL shows for a value made by {@link #parse}. */
    public static String format(DataType type, BigInteger value) {
        return switch (type.id()) {
            case BOOLEAN -> value.signum() == 0 ? "0" : "1";
            case DATE -> formatDate(value.longValueExact());
            case DATETIME -> formatDateTime(value.longValueExact(), type.scale());
            default -> value.toString();
        };
    }

    /** `yyyy-MM-dd` of days since 1970-01-01. */
    public static String formatDate(long days) {
        LocalDate date = LocalDate.ofEpochDay(days);
        return String.format(Locale.ROOT, "%04d-%02d-%02d", date.getYear(), date.getMonthValue(), date.getDayOfMonth());
    }

    /** `yyyy-MM-dd HH:mm:ss` with as many decimals as the scale says. */
    public static String formatDateTime(long micros, int scale) {
        long ofDay = Math.floorMod(micros, MICROS_PER_DAY);
        long seconds = ofDay / MICROS_PER_SECOND;
        String text = formatDate(Math.floorDiv(micros, MICROS_PER_DAY))
                + String.format(Locale.ROOT, " %02d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
        return scale == 0
                ? text
                : text + "."
                        + String.format(Locale.ROOT, "%06d", ofDay % MICROS_PER_SECOND)
                                .substring(0, scale);
    }

    private static BigInteger parseBoolean(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "1", "true" -> BigInteger.ONE;
            case "0", "false" -> BigInteger.ZERO;
            default -> throw bad(DataType.BOOLEAN, text);
        };
    }

    private static BigInteger parseInteger(DataType type, String text, int bits) {
        BigInteger value;
        try {
            value = new BigInteger(text);
        } catch (NumberFormatException e) {
            throw bad(type, text);
        }
        if (value.bitLength() > bits) {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT, "value is out of range of type " + type + ": '" + text + "'");
        }
        return value;
    }

    private static long parseMicros(DataType type, String text) {
        Matcher matcher = DATE_TIME.matcher(text);
        if (!matcher.matches()) {
            matcher = PACKED.matcher(text);
            if (!matcher.matches()) {
                throw bad(type, text);
            }
        }
        try {
            LocalDateTime time = LocalDateTime.of(
                    part(matcher, 1),
                    part(matcher, 2),
                    part(matcher, 3),
                    part(matcher, 4),
                    part(matcher, 5),
                    part(matcher, 6));
            String fraction = matcher.group(7) == null ? "0" : (matcher.group(7) + "000000").substring(0, 6);
            return time.toEpochSecond(ZoneOffset.UTC) * MICROS_PER_SECOND + Long.parseLong(fraction);
        } catch (DateTimeException e) {
            throw bad(type, text);
        }
    }

    private static int part(Matcher matcher, int group) {
        return matcher.group(group) == null ? 0 : Integer.parseInt(matcher.group(group));
    }

    private static long truncate(long micros, int scale) {
        long unit = MICROS_PER_SECOND;
        for (int i = 0; i < scale; i++) {
            unit /= 10;
        }
        return Math.floorDiv(micros, unit) * unit;
    }

    private static ThetisException bad(DataType type, String text) {
        return new ThetisException(ErrorCode.INVALID_ARGUMENT, "not a value of type " + type + ": '" + text + "'");
    }
}
