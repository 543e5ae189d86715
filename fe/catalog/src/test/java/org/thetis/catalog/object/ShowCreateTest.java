// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.object;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.thetis.base.collection.PersistentSortedMap;
import org.thetis.catalog.schema.BoundValue;
import org.thetis.catalog.schema.ColumnRules;
import org.thetis.catalog.schema.DefaultValue;
import org.thetis.catalog.schema.Distribution;
import org.thetis.catalog.schema.IndexMeta;
import org.thetis.catalog.schema.IntervalExpansion;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.PartitionDefinition;
import org.thetis.catalog.schema.PartitionKind;
import org.thetis.catalog.schema.PartitionResolver;
import org.thetis.catalog.schema.PartitionSpec;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.schema.TableProperties;
import org.thetis.catalog.type.DataType;

class ShowCreateTest {
    private static OlapTable table() {
        List<SchemaColumn> columns = List.of(
                SchemaColumn.of("day", DataType.DATE, false),
                SchemaColumn.of("name", DataType.varchar(20), true)
                        .withDefaultValue(DefaultValue.literal("a\"b"))
                        .withComment("it's"),
                SchemaColumn.of("price", DataType.decimal(10, 2), true),
                SchemaColumn.of("at", DataType.datetime(3), true)
                        .withDefaultValue(new DefaultValue(DefaultValue.Kind.CURRENT_TIMESTAMP, "3")),
                SchemaColumn.of("note", DataType.STRING, true));
        ColumnRules.Checked checked = ColumnRules.check(columns, null, List.of());
        OlapTable table = new OlapTable(
                1,
                2,
                "sales",
                "all of them",
                0,
                List.of(IndexMeta.of(3, "sales", 1, checked.keysModel(), checked.columns(), checked.shortKeyColumns())),
                List.of(),
                new PartitionSpec(PartitionKind.RANGE, List.of("day")),
                Distribution.hash(List.of("name"), 4),
                new TableProperties(Map.of("replication_num", "1", "compression", "zstd")),
                PersistentSortedMap.empty(),
                PersistentSortedMap.empty());
        List<PartitionDefinition> definitions = List.of(
                new PartitionDefinition.LessThan("p1", false, List.of(BoundValue.of("2024-01-01")), Map.of()),
                new PartitionDefinition.LessThan("p2", false, List.of(BoundValue.MAXVALUE), Map.of()));
        long id = 10;
        for (PartitionResolver.Resolved resolved : new PartitionResolver(
                        PartitionKind.RANGE, columns.subList(0, 1), new IntervalExpansion("p_", 10))
                .resolve(definitions)) {
            table = table.withPartition(new Partition(
                    id++,
                    resolved.name(),
                    resolved.item(),
                    table.distribution(),
                    1,
                    Map.of(),
                    1,
                    0,
                    1,
                    List.of(new Partition.IndexTablets(3, List.of()))));
        }
        return table;
    }

    @Test
    void tableText() {
        assertThat(ShowCreate.text(table()))
                .isEqualTo(
                        """
                CREATE TABLE `sales` (
                  `day` date NOT NULL,
                  `name` varchar(20) NULL DEFAULT "a\\"b" COMMENT 'it\\'s',
                  `price` decimal(10,2) NULL,
                  `at` datetime(3) NULL DEFAULT CURRENT_TIMESTAMP(3),
                  `note` text NULL
                ) ENGINE=OLAP
                DUPLICATE KEY(`day`, `name`)
                COMMENT 'all of them'
                PARTITION BY RANGE(`day`)
                (PARTITION p1 VALUES [('0000-01-01'), ('2024-01-01')),
                PARTITION p2 VALUES [('2024-01-01'), (MAXVALUE)))
                DISTRIBUTED BY HASH(`name`) BUCKETS 4
                PROPERTIES (
                "replication_allocation" = "tag.location.default: 1",
                "min_load_replica_num" = "-1",
                "is_being_synced" = "false",
                "storage_medium" = "hdd",
                "storage_format" = "V2",
                "inverted_index_storage_format" = "V2",
                "compression" = "ZSTD",
                "light_schema_change" = "true",
                "disable_auto_compaction" = "false",
                "enable_single_replica_compaction" = "false",
                "group_commit_interval_ms" = "10000",
                "group_commit_data_bytes" = "134217728"
                );""");
    }

    @Test
    void viewText() {
        View view = new View(1, 2, "v", "", 0, List.of(SchemaColumn.of("a", DataType.INT, true)), "SELECT 1 AS `a`");
        assertThat(ShowCreate.text(view)).isEqualTo("CREATE VIEW `v` AS SELECT 1 AS `a`;");
    }

    @Test
    void backendsGetUniqueIdsKeysAndDefaults() {
        var schema = TableDescriptors.tabletSchema(table(), table().baseIndex());
        assertThat(schema.getCompression()).isEqualTo("ZSTD");
        assertThat(schema.getNum_short_key_columns()).isEqualTo(2);
        assertThat(schema.getColumns().get(1).getDefault_value().getBytes_value())
                .isEqualTo("a\"b".getBytes(StandardCharsets.UTF_8));
        assertThat(schema.getColumns().get(3).isHas_default()).isTrue();
        assertThat(schema.getColumns().get(3).isSetDefault_value()).isFalse();
    }
}
