// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.schema;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The PROPERTIES of a table, checked when they were set; reading one that was not set gives its default. */
public record TableProperties(@JsonValue Map<String, String> values) {
    public static final String REPLICATION_NUM = "replication_num";
    public static final String COMPRESSION = "compression";
    public static final String BLOOM_FILTER_COLUMNS = "bloom_filter_columns";
    public static final String BLOOM_FILTER_FPP = "bloom_filter_fpp";
    public static final String COLOCATE_WITH = "colocate_with";
    public static final String MIN_LOAD_REPLICA_NUM = "min_load_replica_num";
    public static final String MERGE_ON_WRITE = "enable_unique_key_merge_on_write";
    public static final String SEQUENCE_COLUMN = "function_column.sequence_col";
    public static final String SEQUENCE_TYPE = "function_column.sequence_type";
    public static final String STORE_ROW_COLUMN = "store_row_column";
    public static final String ROW_STORE_COLUMNS = "row_store_columns";

    @JsonCreator
    public TableProperties {
        values = Map.copyOf(values);
    }

    public String get(String key, String defaultValue) {
        return values.getOrDefault(key, defaultValue);
    }

    public boolean has(String key) {
        return values.containsKey(key);
    }

    public boolean isTrue(String key) {
        return "true".equalsIgnoreCase(values.get(key));
    }

    public int replicationNum() {
        return Integer.parseInt(get(REPLICATION_NUM, "3"));
    }

    /** Replicas a load must have written; -1 for more than half. */
    public int minLoadReplicaNum() {
        return Integer.parseInt(get(MIN_LOAD_REPLICA_NUM, "-1"));
    }

    /** Upper-case codec name as the back end takes it: LZ4, ZSTD, NONE, .... */
    public String compression() {
        String name = get(COMPRESSION, "LZ4F").toUpperCase(Locale.ROOT);
        return switch (name) {
            case "LZ4F", "LZ4", "LZ4HC", "DEFAULT_COMPRESSION" -> "LZ4";
            case "NO_COMPRESSION" -> "NONE";
            default -> name;
        };
    }

    public List<String> bloomFilterColumns() {
        return names(BLOOM_FILTER_COLUMNS);
    }

    /** Of a UNIQUE table: whether keys are resolved when rows are written; otherwise when they are read. */
    public boolean mergeOnWrite() {
        return get(MERGE_ON_WRITE, "true").equalsIgnoreCase("true");
    }

    /** The visible column whose value orders rows with equal keys; empty without one. */
    public String sequenceColumn() {
        return get(SEQUENCE_COLUMN, "");
    }

    /** The type of the sequence that each load names for itself; empty without one. */
    public String sequenceType() {
        return get(SEQUENCE_TYPE, "");
    }

    /** Whether rows are also stored whole. */
    public boolean storesRows() {
        return isTrue(STORE_ROW_COLUMN) || !rowStoreColumns().isEmpty();
    }

    /** The columns of the row store; empty for all. */
    public List<String> rowStoreColumns() {
        return names(ROW_STORE_COLUMNS);
    }

    private List<String> names(String key) {
        return Arrays.stream(get(key, "").split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
    }

    public double bloomFilterFpp() {
        return Double.parseDouble(get(BLOOM_FILTER_FPP, "0.05"));
    }

    /** These properties with another name of a column in those that name columns. */
    public TableProperties withColumnRenamed(String before, String after) {
        Map<String, String> all = new TreeMap<>(values);
        for (String key : List.of(BLOOM_FILTER_COLUMNS, ROW_STORE_COLUMNS, SEQUENCE_COLUMN)) {
            if (has(key)) {
                all.put(
                        key,
                        names(key).stream()
                                .map(name -> name.equalsIgnoreCase(before) ? after : name)
                                .collect(Collectors.joining(",")));
            }
        }
        return new TableProperties(all);
    }

    /** These properties with others added or replaced. */
    public TableProperties with(Map<String, String> changed) {
        Map<String, String> all = new TreeMap<>(values);
        all.putAll(changed);
        return new TableProperties(all);
    }
}
