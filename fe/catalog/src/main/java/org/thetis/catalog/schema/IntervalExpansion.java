// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.schema;

import java.math.BigInteger;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.IsoFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.type.DataType;
import org.thetis.catalog.type.ScalarText;
import org.thetis.catalog.type.TypeId;

/**
 * Makes the ranges of FROM (low) TO (high) INTERVAL n [unit]; the last one ends at `high`. Names are the prefix and the range's
 * start, as long as the unit asks: `p_2021`, `p_202101`, `p_20210101`, `p_2021010100`, `p_2021_01` (week), `p_7` (integer).
 */
public record IntervalExpansion(String namePrefix, int maxPartitions) {
    private static final long MICROS = 1_000_000;

    List<PartitionResolver.Resolved> expand(DataType type, PartitionDefinition.Interval interval) {
        if (interval.step() <= 0) {
            throw refused("INTERVAL must be positive: " + interval.step());
        }
        if (interval.from().kind() != BoundValue.Kind.TEXT || interval.to().kind() != BoundValue.Kind.TEXT) {
            throw refused("FROM ... TO ... INTERVAL needs values on both sides");
        }
        BigInteger from = ScalarText.parse(type, interval.from().text());
        BigInteger to = ScalarText.parse(type, interval.to().text());
        if (from.compareTo(to) >= 0) {
            throw refused("FROM must be below TO: '" + interval.from().text() + "' and '"
                    + interval.to().text() + "'");
        }
        String unit = unit(type, interval.unit());
        List<PartitionResolver.Resolved> ranges = new ArrayList<>();
        // Every bound is computed from the start: adding months one by one would lose the 31st.
        BigInteger lower = from;
        for (long count = 1; lower.compareTo(to) < 0; count++) {
            if (ranges.size() >= maxPartitions) {
                throw refused("The number of partitions is more than max_multi_partition_num: " + maxPartitions);
            }
            BigInteger upper = add(type, from, unit, Math.multiplyExact(interval.step(), count))
                    .min(to);
            PartitionItem range = new PartitionItem.Range(
                    PartitionKey.of(PartitionValue.of(lower)), PartitionKey.of(PartitionValue.of(upper)));
            ranges.add(new PartitionResolver.Resolved(
                    namePrefix + suffix(type, lower, unit), range, interval.properties()));
            lower = upper;
        }
        return ranges;
    }

    private static String unit(DataType type, @Nullable String unit) {
        if (!type.isDateLike()) {
            if (unit != null) {
                throw refused("INTERVAL of an integer column has no unit: " + unit);
            }
            return "";
        }
        String name = unit == null ? "" : unit.toUpperCase(Locale.ROOT);
        return switch (name) {
            case "YEAR", "MONTH", "WEEK", "DAY" -> name;
            case "HOUR" -> {
                if (type.id() == TypeId.DATE) {
                    throw refused("INTERVAL of a DATE column cannot be HOUR");
                }
                yield name;
            }
            default -> throw refused("INTERVAL of a date column needs YEAR, MONTH, WEEK, DAY or HOUR");
        };
    }

    private static BigInteger add(DataType type, BigInteger start, String unit, long count) {
        if (unit.isEmpty()) {
            return start.add(BigInteger.valueOf(count));
        }
        LocalDateTime time = time(type, start);
        LocalDateTime moved =
                switch (unit) {
                    case "YEAR" -> time.plusYears(count);
                    case "MONTH" -> time.plusMonths(count);
                    case "WEEK" -> time.plusWeeks(count);
                    case "DAY" -> time.plusDays(count);
                    default -> time.plusHours(count);
                };
        long seconds = moved.toEpochSecond(ZoneOffset.UTC);
        return BigInteger.valueOf(type.id() == TypeId.DATE ? Math.floorDiv(seconds, 86_400) : seconds * MICROS);
    }

    private static String suffix(DataType type, BigInteger start, String unit) {
        if (unit.isEmpty()) {
            return start.toString().replace('-', '_');
        }
        LocalDateTime time = time(type, start);
        return switch (unit) {
            case "YEAR" -> format(time, "yyyy");
            case "MONTH" -> format(time, "yyyyMM");
            case "WEEK" ->
                String.format(
                        Locale.ROOT,
                        "%04d_%02d",
                        time.get(IsoFields.WEEK_BASED_YEAR),
                        time.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
            case "DAY" -> format(time, "yyyyMMdd");
            default -> format(time, "yyyyMMddHH");
        };
    }

    private static String format(LocalDateTime time, String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.ROOT).format(time);
    }

    private static LocalDateTime time(DataType type, BigInteger value) {
        long seconds = type.id() == TypeId.DATE
                ? value.longValueExact() * 86_400
                : Math.floorDiv(value.longValueExact(), MICROS);
        return LocalDateTime.ofEpochSecond(seconds, 0, ZoneOffset.UTC);
    }

    private static ThetisException refused(String message) {
        return new ThetisException(ErrorCode.INVALID_ARGUMENT, message);
    }
}
