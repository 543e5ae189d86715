// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.expr;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.thetis.catalog.type.DataType;

/**
 * Text forms of DATE (days since 1970-01-01) and DATETIME (microseconds since then, zone-less). Reads what back ends read,
 * except zone suffixes, which need the session's zone and are left to them.
 */
public final class DateTimes {
    /** Microseconds of a day. */
    public static final long MICROS_PER_DAY = 86_400_000_000L;

    private static final long MAX_DAY = LocalDate.of(9999, 12, 31).toEpochDay();
    private static final long MIN_DAY = LocalDate.of(0, 1, 1).toEpochDay();

    private static final Pattern TIME = Pattern.compile("(-)?(\\d{1,3}):(\\d{1,2})(?::(\\d{1,2})(?:\\.(\\d{1,6}))?)?");

    private DateTimes() {}

    /** A TIME from text such as -838:59:59.5; empty when it is none. */
    public static Optional<Literal> parseTime(String text) {
        Matcher parts = TIME.matcher(text.strip());
        if (!parts.matches()) {
            return Optional.empty();
        }
        int seconds = parts.group(4) == null ? 0 : Integer.parseInt(parts.group(4));
        int minutes = Integer.parseInt(parts.group(3));
        int hours = Integer.parseInt(parts.group(2));
        if (seconds > 59 || minutes > 59 || hours > 838) {
            return Optional.empty();
        }
        String fraction = parts.group(5) == null ? "" : parts.group(5);
        long micros = ((hours * 60L + minutes) * 60 + seconds) * 1_000_000
                + (fraction.isEmpty() ? 0 : Long.parseLong(fraction + "000000".substring(fraction.length())));
        return Optional.of(new Literal(parts.group(1) == null ? micros : -micros, DataType.time(fraction.length())));
    }

    /** Parses a date with an optional time; empty when the text is no date (or has a zone). */
    public static Optional<Long> parseMicros(String raw) {
        String text = raw.strip();
        if (text.isEmpty() || !Character.isDigit(text.charAt(0))) {
            return Optional.empty();
        }
        int digits = 0;
        while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
            digits++;
        }
        String rest = text.substring(digits);
        if (digits >= 6 && (rest.isEmpty() || (rest.startsWith(".") && digits >= 12))) {
            return packed(text.substring(0, digits), rest.isEmpty() ? "" : rest.substring(1));
        }
        return separated(text);
    }

    private static Optional<Long> packed(String digits, String fraction) {
        int yearDigits = digits.length() == 8 || digits.length() == 14
                ? 4
                : digits.length() == 6 || digits.length() == 12 ? 2 : 0;
        if (yearDigits == 0) {
            return Optional.empty();
        }
        List<Integer> parts = new ArrayList<>();
        parts.add(fullYear(Integer.parseInt(digits.substring(0, yearDigits)), yearDigits));
        for (int i = yearDigits; i < digits.length(); i += 2) {
            parts.add(Integer.parseInt(digits.substring(i, i + 2)));
        }
        return build(parts, fraction);
    }

    private static Optional<Long> separated(String text) {
        List<Integer> parts = new ArrayList<>();
        String fraction = "";
        int at = 0;
        while (at < text.length()) {
            int begin = at;
            while (at < text.length() && Character.isDigit(text.charAt(at))) {
                at++;
            }
            if (at == begin || at - begin > (parts.isEmpty() ? 4 : 2)) {
                return Optional.empty();
            }
            int number = Integer.parseInt(text.substring(begin, at));
            parts.add(parts.isEmpty() ? fullYear(number, at - begin) : number);
            if (at == text.length()) {
                break;
            }
            char separator = text.charAt(at++);
            if (parts.size() == 6) {
                fraction = text.substring(at);
                if (separator != '.' || !fraction.chars().allMatch(Character::isDigit)) {
                    return Optional.empty();
                }
                break;
            }
            boolean betweenDateAndTime = parts.size() == 3;
            if (betweenDateAndTime
                    ? separator != ' ' && separator != 'T' && separator != ':'
                    : Character.isLetterOrDigit(separator) || separator == '+' || separator == ' ') {
                return Optional.empty();
            }
            while (betweenDateAndTime && at < text.length() && text.charAt(at) == ' ') {
                at++;
            }
        }
        return parts.size() < 3 ? Optional.empty() : build(parts, fraction);
    }

    private static int fullYear(int year, int digits) {
        return digits > 2 ? year : year >= 70 ? 1900 + year : 2000 + year;
    }

    private static Optional<Long> build(List<Integer> parts, String fraction) {
        while (parts.size() < 6) {
            parts.add(0);
        }
        long micros = 0;
        if (!fraction.isEmpty()) {
            String six = (fraction + "0000000").substring(0, 7);
            micros = (Long.parseLong(six) + 5) / 10;
        }
        try {
            LocalDateTime value = LocalDateTime.of(
                    parts.get(0), parts.get(1), parts.get(2), parts.get(3), parts.get(4), parts.get(5));
            return Optional.of(micros(value) + micros);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Microseconds of a date and time. */
    public static long micros(LocalDateTime value) {
        return value.toLocalDate().toEpochDay() * MICROS_PER_DAY
                + value.toLocalTime().toNanoOfDay() / 1000;
    }

    /** The date and time of microseconds. */
    public static LocalDateTime dateTime(long micros) {
        long day = Math.floorDiv(micros, MICROS_PER_DAY);
        return LocalDate.ofEpochDay(day).atStartOfDay().plusNanos(Math.floorMod(micros, MICROS_PER_DAY) * 1000);
    }

    /** Rounds half up to a number of fraction digits. */
    public static long round(long micros, int scale) {
        long unit = 1;
        for (int i = scale; i < 6; i++) {
            unit *= 10;
        }
        return Math.floorDiv(micros + unit / 2, unit) * unit;
    }

    /** Whether the value lies in the years 0 to 9999. */
    public static boolean inRange(long micros) {
        long day = Math.floorDiv(micros, MICROS_PER_DAY);
        return day >= MIN_DAY && day <= MAX_DAY;
    }

    /** YYYY-MM-DD. */
    public static String dateText(long days) {
        LocalDate date = LocalDate.ofEpochDay(days);
        return String.format("%04d-%02d-%02d", date.getYear(), date.getMonthValue(), date.getDayOfMonth());
    }

    /** YYYY-MM-DD hh:mm:ss with scale fraction digits. */
    public static String dateTimeText(long micros, int scale) {
        long day = Math.floorDiv(micros, MICROS_PER_DAY);
        return dateText(day) + " " + timeText(Math.floorMod(micros, MICROS_PER_DAY), scale);
    }

    /** [-]hh:mm:ss with scale fraction digits; hours may pass 24. */
    public static String timeText(long micros, int scale) {
        long magnitude = Math.abs(micros);
        long seconds = magnitude / 1_000_000;
        String text = String.format(
                "%s%02d:%02d:%02d", micros < 0 ? "-" : "", seconds / 3600, seconds / 60 % 60, seconds % 60);
        return scale == 0
                ? text
                : text + "." + String.format("%06d", magnitude % 1_000_000).substring(0, scale);
    }

    /** The value as the number yyyymmdd. */
    public static long dateNumber(long days) {
        LocalDate date = LocalDate.ofEpochDay(days);
        return date.getYear() * 10_000L + date.getMonthValue() * 100L + date.getDayOfMonth();
    }
}
