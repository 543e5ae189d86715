// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.thetis.catalog.object.ColumnConversion;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.TableDescriptors;
import org.thetis.catalog.schema.Distribution;
import org.thetis.catalog.schema.IndexMeta;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.Replica;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.schema.Tablet;
import org.thetis.sql.expr.Cast;
import org.thetis.sql.expr.WireExprs;
import org.thetis.sql.plan.WrittenColumns;
import org.thetis.wire.thrift.Expr;
import org.thetis.wire.thrift.IndexSink;
import org.thetis.wire.thrift.PartitionDesc;
import org.thetis.wire.thrift.PartitionKind;
import org.thetis.wire.thrift.PlanSink;
import org.thetis.wire.thrift.TablePartitionsDesc;
import org.thetis.wire.thrift.TableSink;
import org.thetis.wire.thrift.TabletLocation;
import org.thetis.wire.thrift.TabletSchemaDesc;

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
            sink.setNew_values(newValues(columns, table.baseIndex()));
        }
        table.shadowIndex()
                .ifPresent(index -> sink.addToFurther_indexes(shadow(table, index, columns, partitionNames)));
        return PlanSink.table(sink);
    }

    /** The partitions that are named, temporary ones too, or all but temporary ones. */
    private static List<Partition> written(OlapTable table, List<String> names) {
        return names.isEmpty()
                ? table.partitions().values()
                : table.allPartitions().stream()
                        .filter(partition -> names.contains(partition.name()))
                        .toList();
    }

    private static TabletLocation location(Tablet tablet) {
        return new TabletLocation(
                tablet.id(),
                tablet.replicas().stream()
                        .filter(replica -> !replica.bad())
                        .map(Replica::backendId)
                        .toList());
    }

    /**
     * The shadow of a schema change takes the same rows, converted. Of a partial update it takes the columns that are sent; storage
     * adds the others once the shadow has the rows that are there.
     */
    private static IndexSink shadow(
            OlapTable table, IndexMeta shadow, WrittenColumns columns, List<String> partitionNames) {
        Map<Long, List<TabletLocation>> tablets = new HashMap<>();
        for (Partition partition : written(table, partitionNames)) {
            partition.indexes().stream()
                    .filter(index -> index.indexId() == shadow.id())
                    .forEach(index -> tablets.put(
                            partition.id(),
                            index.tablets().stream().map(TableSinks::location).toList()));
        }
        TabletSchemaDesc schema = TableDescriptors.tabletSchema(table, shadow);
        if (!columns.partialUpdate()) {
            return new IndexSink(schema, ColumnConversion.expressions(columns.columns(), shadow), tablets);
        }
        List<SchemaColumn> sent = ColumnConversion.madeOf(columns.columns(), shadow);
        IndexSink sink = new IndexSink(schema, ColumnConversion.expressions(columns.columns(), sent), tablets);
        sink.setColumn_unique_ids(sent.stream().map(SchemaColumn::uniqueId).toList());
        sink.setPartial_update(true);
        sink.setPartial_update_existing_only(columns.existingOnly() || !mayInsert(table, columns));
        sink.setNew_values(newValues(columns, shadow));
        return sink;
    }

    /** As rows of the table have them, converted: a column that only a shadow has begins as for rows that are there. */
    private static Map<Integer, Expr> newValues(WrittenColumns columns, IndexMeta index) {
        WireExprs wire = new WireExprs(List.of());
        Map<Integer, Expr> values = new HashMap<>();
        for (SchemaColumn column : index.columns()) {
            org.thetis.sql.expr.Expr value = columns.newValues().get(column.uniqueId());
            if (value != null) {
                values.put(
                        column.uniqueId(),
                        wire.one(value.type().equals(column.type()) ? value : new Cast(value, column.type(), false)));
            }
        }
        return values;
    }

    /** Whether a row can be made without an old one. Otherwise the load fails, or its row was deleted meanwhile and stays so. */
    private static boolean mayInsert(OlapTable table, WrittenColumns columns) {
        return table.columns().stream()
                .allMatch(column -> columns.columns().contains(column)
                        || !column.visible()
                        || column.nullable()
                        || columns.newValues().containsKey(column.uniqueId())
                        || TableDescriptors.hasDefault(column));
    }

    private static TablePartitionsDesc partitions(OlapTable table, WrittenColumns columns, List<String> names) {
        List<PartitionDesc> partitions = new ArrayList<>();
        for (Partition partition : written(table, names)) {
            List<TabletLocation> tablets =
                    partition.tablets().stream().map(TableSinks::location).toList();
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
