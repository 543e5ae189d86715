// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import java.util.ArrayList;
import java.util.List;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.TableDescriptors;
import org.thetis.catalog.schema.Distribution;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.Replica;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.sql.plan.WrittenColumns;
import org.thetis.wire.thrift.PartitionDesc;
import org.thetis.wire.thrift.PartitionKind;
import org.thetis.wire.thrift.PlanSink;
import org.thetis.wire.thrift.TablePartitionsDesc;
import org.thetis.wire.thrift.TableSink;
import org.thetis.wire.thrift.TabletLocation;

/** Wire form of writing into a table: its schema, partitions, and where each replica is. */
final class TableSinks {
    private TableSinks() {}

    /** A sink of these columns into the named partitions, or into all when none is named. */
    static PlanSink sink(
            OlapTable table,
            WrittenColumns columns,
            String database,
            List<String> partitionNames,
            ClusterView cluster,
            LoadTransaction transaction) {
        TableSink sink = new TableSink(
                transaction.txnId(),
                transaction.databaseId(),
                database + "." + table.name(),
                TableDescriptors.tabletSchema(table, table.baseIndex()),
                partitions(table, columns, partitionNames),
                cluster.backends(),
                transaction.loadId(),
                transaction.strict(),
                transaction.timeoutMs());
        sink.setMax_filter_ratio(transaction.maxFilterRatio());
        sink.setColumn_unique_ids(
                columns.columns().stream().map(SchemaColumn::uniqueId).toList());
        if (columns.partialUpdate()) {
            sink.setPartial_update(true);
            sink.setPartial_update_existing_only(columns.existingOnly());
        }
        return PlanSink.table(sink);
    }

    private static TablePartitionsDesc partitions(OlapTable table, WrittenColumns columns, List<String> names) {
        List<PartitionDesc> partitions = new ArrayList<>();
        for (Partition partition : table.partitions().values()) {
            if (!names.isEmpty() && !names.contains(partition.name())) {
                continue;
            }
            List<TabletLocation> tablets = partition.tablets().stream()
                    .map(tablet -> new TabletLocation(
                            tablet.id(),
                            tablet.replicas().stream()
                                    .filter(replica -> !replica.bad())
                                    .map(Replica::backendId)
                                    .toList()))
                    .toList();
            PartitionDesc desc = new PartitionDesc(partition.id(), partition.name(), tablets.size(), tablets);
            TableDescriptors.setBounds(desc, partition.item(), table.partitionTypes());
            partitions.add(desc);
        }
        List<Integer> partitionColumns = table.partitionSpec().columns().stream()
                .map(columns::positionOf)
                .toList();
        List<Integer> distributionColumns = table.distribution().kind() == Distribution.Kind.HASH
                ? table.distribution().columns().stream()
                        .map(columns::positionOf)
                        .toList()
                : List.of();
        return new TablePartitionsDesc(
                PartitionKind.valueOf(table.partitionSpec().kind().name()),
                partitionColumns,
                distributionColumns,
                partitions);
    }
}
