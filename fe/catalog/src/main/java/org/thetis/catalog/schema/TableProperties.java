// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.schema;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The PROPERTIES of a table, checked when they were set; reading one that was not set gives its default. */
public record TableProperties(@JsonValue Map<String, String> values) {
    public static final String REPLICATION_NUM = "replication_num";
    public static final String COMPRESSION = "compression";
    public static final String BLOOM_FILTER_COLUMNS = "bloom_filter_columns";
    public static final String BLOOM_FILTER_FPP = "bloom_filter_fpp";
    public static final String COLOCATE_WITH = "colocate_with";
    public static final String MIN_LOAD_REPLICA_NUM = "min_load_replica_num";

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
        String names = get(BLOOM_FILTER_COLUMNS, "");
        return Arrays.stream(names.split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
    }

    public double bloomFilterFpp() {
        return Double.parseDouble(get(BLOOM_FILTER_FPP, "0.05"));
    }

    /** These properties with others added or replaced. */
    public TableProperties with(Map<String, String> changed) {
        Map<String, String> all = new TreeMap<>(values);
        all.putAll(changed);
        return new TableProperties(all);
    }
}
