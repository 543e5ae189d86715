// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.time.ZoneId;
import java.util.List;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.Partition;
import org.thetis.query.session.Session;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.expr.Literal;

/** Partitions of stored tables. */
public final class PartitionsTable implements SchemaTable {
    private static final List<ResolvedTable.Column> COLUMNS = SchemaRows.columns(
            "TABLE_CATALOG",
            "TABLE_SCHEMA",
            "TABLE_NAME",
            "PARTITION_NAME",
            "SUBPARTITION_NAME",
            "PARTITION_ORDINAL_POSITION bigint",
            "SUBPARTITION_ORDINAL_POSITION bigint",
            "PARTITION_METHOD",
            "SUBPARTITION_METHOD",
            "PARTITION_EXPRESSION",
            "SUBPARTITION_EXPRESSION",
            "PARTITION_DESCRIPTION",
            "TABLE_ROWS bigint",
            "AVG_ROW_LENGTH bigint",
            "DATA_LENGTH bigint",
            "MAX_DATA_LENGTH bigint",
            "INDEX_LENGTH bigint",
            "DATA_FREE bigint",
            "CREATE_TIME datetime",
            "UPDATE_TIME datetime",
            "CHECK_TIME datetime",
            "CHECKSUM bigint",
            "PARTITION_COMMENT",
            "NODEGROUP",
            "TABLESPACE_NAME");

    @Override
    public String name() {
        return "partitions";
    }

    @Override
    public List<ResolvedTable.Column> columns() {
        return COLUMNS;
    }

    @Override
    public List<List<Literal>> rows(SchemaTableContext context) {
        SchemaRows rows = new SchemaRows(COLUMNS);
        ZoneId zone = ZoneId.of(context.statement().settings().timeZone());
        context.forEachTable((database, table) -> {
            if (table instanceof OlapTable stored) {
                int position = 0;
                for (Partition partition : stored.partitions().values()) {
                    position++;
                    long numRows = context.services().replicas().numRows(partition);
                    long bytes = context.services().replicas().dataBytes(partition);
                    rows.add(
                            Session.INTERNAL_CATALOG,
                            database.name(),
                            table.name(),
                            partition.name(),
                            null,
                            position,
                            null,
                            stored.partitionSpec().kind().name(),
                            null,
                            String.join(", ", stored.partitionSpec().columns()),
                            null,
                            partition.item().toSql(stored.partitionTypes()),
                            numRows,
                            numRows == 0 ? 0 : bytes / numRows,
                            bytes,
                            null,
                            0,
                            null,
                            SchemaRows.time(stored.createMillis(), zone),
                            SchemaRows.time(partition.visibleMillis(), zone),
                            null,
                            null,
                            "",
                            "",
                            "");
                }
            }
        });
        return rows.rows();
    }
}
