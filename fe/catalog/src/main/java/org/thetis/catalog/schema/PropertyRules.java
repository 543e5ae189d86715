// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.schema;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.text.NearestNames;

/** Which PROPERTIES a table may have and what values they take. */
public final class PropertyRules {
    private static final Pattern ALLOCATION = Pattern.compile("tag\\.location\\.\\w+\\s*:\\s*(\\d+)");
    private static final Set<String> BOOLEANS = Set.of(
            "light_schema_change",
            "in_memory",
            "enable_unique_key_merge_on_write",
            "store_row_column",
            "skip_write_index_on_load",
            "disable_auto_compaction",
            "enable_single_replica_compaction",
            "variant_enable_flatten_nested",
            "enable_mow_light_delete",
            "enable_unique_key_skip_bitmap_column",
            "enable_duplicate_without_keys_by_default",
            "is_being_synced",
            "binlog.enable");
    private static final Set<String> POSITIVE_NUMBERS = Set.of(
            "group_commit_interval_ms",
            "group_commit_data_bytes",
            "row_store_page_size",
            "time_series_compaction_goal_size_mbytes",
            "time_series_compaction_file_count_threshold",
            "time_series_compaction_time_threshold_seconds",
            "time_series_compaction_empty_rowsets_threshold",
            "time_series_compaction_level_threshold",
            "binlog.ttl_seconds",
            "binlog.max_bytes",
            "binlog.max_history_nums",
            "file_cache_ttl_seconds");
    private static final Set<String> TEXTS = Set.of(
            "storage_cooldown_time",
            "storage_policy",
            "bloom_filter_columns",
            "colocate_with",
            "row_store_columns",
            "function_column.sequence_col",
            "function_column.sequence_type",
            "estimate_partition_size",
            "auto_analyze_policy",
            "storage_vault_name",
            "version_info",
            "tablet_type",
            "mutable");
    private static final Map<String, List<String>> CHOICES = Map.of(
            "storage_medium", List.of("HDD", "SSD"),
            "storage_format", List.of("V2", "DEFAULT"),
            "inverted_index_storage_format", List.of("V1", "V2", "DEFAULT"),
            "compression", List.of("NO_COMPRESSION", "LZ4", "LZ4F", "LZ4HC", "ZLIB", "ZSTD", "DEFAULT_COMPRESSION"),
            "compaction_policy", List.of("SIZE_BASED", "TIME_SERIES"));

    private PropertyRules() {}

    /**
     * Checks names and values and brings them to one form: `replication_allocation` becomes `replication_num`. Fails with
     * `Unknown properties` for names that no table has.
     */
    public static Map<String, String> check(Map<String, String> properties) {
        Map<String, String> checked = new TreeMap<>();
        for (Map.Entry<String, String> entry : properties.entrySet()) {
            String key = entry.getKey().strip();
            String value = entry.getValue().strip();
            if (key.startsWith("default.")) {
                key = key.substring("default.".length());
            }
            if (key.equals("replication_allocation")) {
                checked.put(TableProperties.REPLICATION_NUM, Integer.toString(allocation(value)));
            } else {
                checkOne(key, value);
                checked.put(key, value);
            }
        }
        return checked;
    }

    private static int allocation(String value) {
        int sum = 0;
        for (String part : value.split(",")) {
            Matcher matcher = ALLOCATION.matcher(part.strip());
            if (!matcher.matches()) {
                throw refused("replication_allocation must look like 'tag.location.default: 3': '" + value + "'");
            }
            sum += (int) number("replication_allocation", matcher.group(1), 1, Short.MAX_VALUE);
        }
        return sum;
    }

    private static void checkOne(String key, String value) {
        if (key.equals(TableProperties.REPLICATION_NUM)) {
            number(key, value, 1, Short.MAX_VALUE);
        } else if (key.equals(TableProperties.MIN_LOAD_REPLICA_NUM)) {
            if (number(key, value, -1, Short.MAX_VALUE) == 0) {
                throw refused("min_load_replica_num should be -1 or greater than 0: 0");
            }
        } else if (key.equals(TableProperties.BLOOM_FILTER_FPP)) {
            fraction(key, value);
        } else if (BOOLEANS.contains(key)) {
            checkBoolean(key, value);
        } else if (POSITIVE_NUMBERS.contains(key)) {
            number(key, value, 1, Long.MAX_VALUE);
        } else if (CHOICES.containsKey(key)) {
            if (!CHOICES.getOrDefault(key, List.of()).contains(value.toUpperCase(Locale.ROOT))) {
                throw refused("Invalid value of property " + key + ", one of " + CHOICES.get(key) + " is expected: '"
                        + value + "'");
            }
        } else if (key.startsWith("dynamic_partition.")) {
            throw ThetisException.notSupported("Dynamic partitioning (property " + key + ")");
        } else if (!TEXTS.contains(key)) {
            throw refused("Unknown properties: {" + key + "=" + value + "}" + NearestNames.suggestion(key, names()));
        }
    }

    private static void checkBoolean(String key, String value) {
        if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
            throw refused(key + " must be `true` or `false`: '" + value + "'");
        }
        boolean isTrue = value.equalsIgnoreCase("true");
        if (isTrue && (key.equals("in_memory") || key.equals("skip_write_index_on_load"))) {
            throw refused("Not support set '" + key + "'='true' now!");
        }
        if (isTrue && key.equals("binlog.enable")) {
            throw ThetisException.notSupported("The binlog (property binlog.enable)");
        }
    }

    private static long number(String key, String value, long min, long max) {
        long number;
        try {
            number = Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw refused("property " + key + " must be a number: '" + value + "'");
        }
        if (number < min || number > max) {
            throw refused("property " + key + " must be between " + min + " and " + max + ": " + value);
        }
        return number;
    }

    private static void fraction(String key, String value) {
        try {
            double share = Double.parseDouble(value);
            if (share >= 0.0001 && share <= 0.05) {
                return;
            }
        } catch (NumberFormatException e) {
            throw refused("property " + key + " must be a number: '" + value + "'");
        }
        throw refused("Bloom filter fpp should in [0.0001, 0.05]: " + value);
    }

    private static Set<String> names() {
        Set<String> names = new TreeSet<>(TEXTS);
        names.addAll(BOOLEANS);
        names.addAll(POSITIVE_NUMBERS);
        names.addAll(CHOICES.keySet());
        names.addAll(List.of("replication_num", "replication_allocation", "min_load_replica_num", "bloom_filter_fpp"));
        return names;
    }

    private static ThetisException refused(String message) {
        return new ThetisException(ErrorCode.INVALID_ARGUMENT, message);
    }
}
