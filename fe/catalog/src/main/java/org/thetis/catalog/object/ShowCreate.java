// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.object;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.schema.AggregateKind;
import org.thetis.catalog.schema.DefaultValue;
import org.thetis.catalog.schema.KeysModel;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.PartitionItem;
import org.thetis.catalog.schema.PartitionKey;
import org.thetis.catalog.schema.PartitionKind;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.schema.TableProperties;
import org.thetis.catalog.type.DataType;

/** The statements that would make an object again, as SHOW CREATE prints them. */
public final class ShowCreate {
    private ShowCreate() {}

    /** CREATE TABLE of a table, CREATE VIEW of a view. */
    public static String text(Table table) {
        if (table instanceof View view) {
            return view(view);
        }
        return table((OlapTable) table);
    }

    public static String database(Database database) {
        StringBuilder text = new StringBuilder("CREATE DATABASE `" + database.name() + "`");
        if (!database.properties().isEmpty()) {
            text.append("\nPROPERTIES (\n")
                    .append(propertyLines(new TreeMap<>(database.properties())))
                    .append("\n)");
        }
        return text.toString();
    }

    private static String view(View view) {
        String comment = view.comment().isEmpty() ? "" : " COMMENT " + quote(view.comment());
        return "CREATE VIEW `" + view.name() + "`" + comment + " AS " + view.query() + ";";
    }

    private static String table(OlapTable table) {
        List<String> lines = new ArrayList<>();
        table.baseIndex().visibleColumns().forEach(column -> lines.add("  " + column(column)));
        table.secondaryIndexes().forEach(index -> lines.add("  " + index(index)));
        StringBuilder text = new StringBuilder("CREATE TABLE `" + table.name() + "` (\n");
        text.append(String.join(",\n", lines)).append("\n) ENGINE=OLAP");
        List<String> keys =
                table.baseIndex().keyColumns().stream().map(SchemaColumn::name).toList();
        if (!keys.isEmpty()) {
            text.append('\n')
                    .append(table.keysModel().sql())
                    .append('(')
                    .append(names(keys))
                    .append(')');
        }
        if (!table.comment().isEmpty()) {
            text.append("\nCOMMENT ").append(quote(table.comment()));
        }
        text.append(partitions(table));
        text.append("\nDISTRIBUTED BY ").append(table.distribution().toSql());
        text.append("\nPROPERTIES (\n").append(propertyLines(properties(table))).append("\n);");
        return text.toString();
    }

    private static String column(SchemaColumn column) {
        StringBuilder text =
                new StringBuilder("`" + column.name() + "` " + column.type().toSql());
        if (column.aggregate() != AggregateKind.NONE) {
            text.append(' ').append(column.aggregate().name());
        }
        text.append(column.nullable() ? " NULL" : " NOT NULL");
        if (column.autoIncrement()) {
            text.append(" AUTO_INCREMENT(1)");
        }
        @Nullable DefaultValue value = column.defaultValue();
        if (value != null) {
            text.append(" DEFAULT ").append(value.toSql());
        }
        if (!column.comment().isEmpty()) {
            text.append(" COMMENT ").append(quote(column.comment()));
        }
        return text.toString();
    }

    private static String index(SecondaryIndex index) {
        StringBuilder text =
                new StringBuilder("INDEX " + index.name() + " (" + names(index.columns()) + ") USING " + index.kind());
        if (!index.properties().isEmpty()) {
            text.append(" PROPERTIES(");
            text.append(new TreeMap<>(index.properties())
                    .entrySet().stream()
                            .map(entry -> "\"" + entry.getKey() + "\" = \"" + entry.getValue() + "\"")
                            .collect(Collectors.joining(", ")));
            text.append(')');
        }
        return index.comment().isEmpty() ? text.toString() : text + " COMMENT " + quote(index.comment());
    }

    private static String partitions(OlapTable table) {
        if (!table.partitionSpec().isPartitioned()) {
            return "";
        }
        List<DataType> types = table.partitionTypes();
        List<Partition> ordered = new ArrayList<>(table.partitions().values());
        ordered.sort(Comparator.comparing(ShowCreate::firstBound));
        String by = table.partitionSpec().kind() == PartitionKind.RANGE ? "RANGE" : "LIST";
        String clauses = ordered.stream()
                .map(partition -> "PARTITION " + partition.name() + " VALUES "
                        + partition.item().toSql(types))
                .collect(Collectors.joining(",\n"));
        return "\nPARTITION BY " + by + "(" + names(table.partitionSpec().columns()) + ")\n(" + clauses + ")";
    }

    /** Ranges by their lower bound, lists by their first key. */
    private static PartitionKey firstBound(Partition partition) {
        if (partition.item() instanceof PartitionItem.Range range) {
            return range.lower();
        }
        return ((PartitionItem.InList) partition.item()).keys().get(0);
    }

    /** Every property in the order that existing clients expect. */
    private static Map<String, String> properties(OlapTable table) {
        TableProperties set = table.properties();
        Map<String, String> shown = new LinkedHashMap<>();
        shown.put("replication_allocation", "tag.location.default: " + set.replicationNum());
        shown.put("min_load_replica_num", set.get("min_load_replica_num", "-1"));
        copy(set, shown, "bloom_filter_columns");
        shown.put("is_being_synced", set.get("is_being_synced", "false"));
        copy(set, shown, "colocate_with");
        shown.put("storage_medium", set.get("storage_medium", "HDD").toLowerCase(Locale.ROOT));
        shown.put("storage_format", "V2");
        shown.put("inverted_index_storage_format", set.get("inverted_index_storage_format", "V2"));
        if (set.has("compression")) {
            shown.put("compression", set.get("compression", "").toUpperCase(Locale.ROOT));
        }
        copy(set, shown, "estimate_partition_size");
        if (table.keysModel() == KeysModel.UNIQUE) {
            shown.put("enable_unique_key_merge_on_write", Boolean.toString(set.mergeOnWrite()));
            copy(set, shown, TableProperties.SEQUENCE_COLUMN);
            copy(set, shown, TableProperties.SEQUENCE_TYPE);
        }
        shown.put("light_schema_change", set.get("light_schema_change", "true"));
        for (String key : List.of(
                "storage_policy",
                "store_row_column",
                "row_store_columns",
                "row_store_page_size",
                "compaction_policy")) {
            copy(set, shown, key);
        }
        set.values().keySet().stream()
                .filter(key -> key.startsWith("time_series_"))
                .sorted()
                .forEach(key -> copy(set, shown, key));
        shown.put("disable_auto_compaction", set.get("disable_auto_compaction", "false"));
        shown.put("enable_single_replica_compaction", set.get("enable_single_replica_compaction", "false"));
        shown.put("group_commit_interval_ms", set.get("group_commit_interval_ms", "10000"));
        shown.put("group_commit_data_bytes", set.get("group_commit_data_bytes", "134217728"));
        copy(set, shown, "enable_duplicate_without_keys_by_default");
        return shown;
    }

    private static void copy(TableProperties from, Map<String, String> to, String key) {
        if (from.has(key)) {
            to.put(key, from.get(key, ""));
        }
    }

    private static String propertyLines(Map<String, String> properties) {
        return properties.entrySet().stream()
                .map(entry ->
                        "\"" + entry.getKey() + "\" = \"" + entry.getValue().replace("\"", "\\\"") + "\"")
                .collect(Collectors.joining(",\n"));
    }

    private static String names(List<String> names) {
        return names.stream().map(name -> "`" + name + "`").collect(Collectors.joining(", "));
    }

    private static String quote(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
