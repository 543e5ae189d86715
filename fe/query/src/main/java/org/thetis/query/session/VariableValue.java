// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.session;

import com.google.common.collect.ImmutableSet;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;

/** Checks the text of a value against its variable and brings it into the one form in which it is kept and shown. */
final class VariableValue {
    private static final ImmutableSet<String> SQL_MODES = ImmutableSet.of(
            "DEFAULT",
            "REAL_AS_FLOAT",
            "PIPES_AS_CONCAT",
            "ANSI_QUOTES",
            "IGNORE_SPACE",
            "ONLY_FULL_GROUP_BY",
            "NO_UNSIGNED_SUBTRACTION",
            "NO_DIR_IN_CREATE",
            "ANSI",
            "NO_AUTO_VALUE_ON_ZERO",
            "NO_BACKSLASH_ESCAPES",
            "STRICT_TRANS_TABLES",
            "STRICT_ALL_TABLES",
            "NO_ZERO_IN_DATE",
            "NO_ZERO_DATE",
            "INVALID_DATES",
            "ERROR_FOR_DIVISION_BY_ZERO",
            "TRADITIONAL",
            "HIGH_NOT_PRECEDENCE",
            "NO_ENGINE_SUBSTITUTION",
            "PAD_CHAR_TO_FULL_LENGTH",
            "TIME_TRUNCATE_FRACTIONAL");
    private static final ImmutableSet<String> GROUP_COMMIT_MODES =
            ImmutableSet.of("off_mode", "sync_mode", "async_mode");
    private static final ImmutableSet<String> FILTER_MODES = ImmutableSet.of("OFF", "LOCAL", "GLOBAL");
    private static final Pattern OFFSET = Pattern.compile("([+-])(\\d{1,2}):(\\d{2})");

    private VariableValue() {}

    /** The text to keep; fails with 1231 or 1232 when the value does not suit the variable. */
    static String normalize(Variable variable, String text) {
        String value = text.strip();
        return switch (variable.type()) {
            case BOOL -> bool(variable, value);
            case INT -> number(variable, value, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case LONG -> number(variable, value, Long.MIN_VALUE, Long.MAX_VALUE);
            case DOUBLE -> decimal(variable, value);
            case STRING -> text(variable, text);
        };
    }

    private static String bool(Variable variable, String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "true", "on", "1" -> "true";
            case "false", "off", "0" -> "false";
            default -> throw wrongValue(variable, value);
        };
    }

    private static String number(Variable variable, String value, long min, long max) {
        try {
            long number = Long.parseLong(value);
            if (number < min || number > max) {
                throw wrongValue(variable, value);
            }
            return Long.toString(number);
        } catch (NumberFormatException notANumber) {
            throw new ThetisException(
                    ErrorCode.WRONG_TYPE_FOR_VARIABLE,
                    "Incorrect argument type to variable '" + variable.name() + "'",
                    notANumber);
        }
    }

    private static String decimal(Variable variable, String value) {
        try {
            Double.parseDouble(value);
            return value;
        } catch (NumberFormatException notANumber) {
            throw new ThetisException(
                    ErrorCode.WRONG_TYPE_FOR_VARIABLE,
                    "Incorrect argument type to variable '" + variable.name() + "'",
                    notANumber);
        }
    }

    private static String text(Variable variable, String value) {
        return switch (variable.name()) {
            case "sql_mode" -> sqlMode(variable, value);
            case "time_zone" -> timeZone(value);
            case "group_commit" -> oneOf(variable, value.toLowerCase(Locale.ROOT), GROUP_COMMIT_MODES);
            case "runtime_filter_mode" -> oneOf(variable, value.toUpperCase(Locale.ROOT), FILTER_MODES);
            default -> value;
        };
    }

    private static String oneOf(Variable variable, String value, ImmutableSet<String> allowed) {
        if (!allowed.contains(value)) {
            throw wrongValue(variable, value);
        }
        return value;
    }

    private static String sqlMode(Variable variable, String value) {
        List<String> modes = new ArrayList<>();
        for (String part : value.split(",")) {
            String mode = part.strip().toUpperCase(Locale.ROOT);
            if (mode.isEmpty() || mode.equals("0") || modes.contains(mode)) {
                continue;
            }
            if (!SQL_MODES.contains(mode)) {
                throw wrongValue(variable, part.strip());
            }
            if (!mode.equals("DEFAULT")) {
                modes.add(mode);
            }
        }
        return String.join(",", modes);
    }

    /** A zone name, or an offset from -12:00 to +14:00 which is kept as +hh:mm. */
    private static String timeZone(String value) {
        Matcher offset = OFFSET.matcher(value);
        if (offset.matches()) {
            int hours = Integer.parseInt(offset.group(2));
            int minutes = Integer.parseInt(offset.group(3));
            int total = (hours * 60 + minutes) * (offset.group(1).equals("-") ? -1 : 1);
            if (minutes > 59 || total < -12 * 60 || total > 14 * 60) {
                throw unknownZone(value);
            }
            return String.format(Locale.ROOT, "%s%02d:%02d", offset.group(1), hours, minutes);
        }
        if (value.equalsIgnoreCase("SYSTEM")) {
            return ZoneId.systemDefault().getId();
        }
        try {
            return value.equals("CST") || value.equals("PRC")
                    ? "Asia/Shanghai"
                    : ZoneId.of(value, ZoneId.SHORT_IDS).getId();
        } catch (DateTimeException unknown) {
            throw unknownZone(value);
        }
    }

    private static ThetisException unknownZone(String value) {
        return new ThetisException(ErrorCode.WRONG_VARIABLE_VALUE, "Unknown or incorrect time zone: '" + value + "'");
    }

    private static ThetisException wrongValue(Variable variable, String value) {
        return new ThetisException(
                ErrorCode.WRONG_VARIABLE_VALUE,
                "Variable '" + variable.name() + "' can't be set to the value of '" + value + "'");
    }
}
