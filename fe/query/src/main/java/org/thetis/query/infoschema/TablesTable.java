// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.time.ZoneId;
import java.util.List;
import org.thetis.catalog.object.Database;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.Partition;
import org.thetis.query.session.Session;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.expr.Literal;

/** Tables and views, the built-in ones included. */
public final class TablesTable implements SchemaTable {
    private static final List<ResolvedTable.Column> COLUMNS = SchemaRows.columns(
            "TABLE_CATALOG",
            "TABLE_SCHEMA",
            "TABLE_NAME",
            "TABLE_TYPE",
            "ENGINE",
            "VERSION bigint",
            "ROW_FORMAT",
            "TABLE_ROWS bigint",
            "AVG_ROW_LENGTH bigint",
            "DATA_LENGTH bigint",
            "MAX_DATA_LENGTH bigint",
            "INDEX_LENGTH bigint",
            "DATA_FREE bigint",
            "AUTO_INCREMENT bigint",
            "CREATE_TIME datetime",
            "UPDATE_TIME datetime",
            "CHECK_TIME datetime",
            "TABLE_COLLATION",
            "CHECKSUM bigint",
            "CREATE_OPTIONS",
            "TABLE_COMMENT");

    @Override
    public String name() {
        return "tables";
    }

    @Override
    public List<ResolvedTable.Column> columns() {
        return COLUMNS;
    }

    @Override
    public List<List<Literal>> rows(SchemaTableContext context) {
        SchemaRows rows = new SchemaRows(COLUMNS);
        for (SchemaTable table : SchemaTables.create()) {
            rows.add(
                    Session.INTERNAL_CATALOG,
                    table.database(),
                    table.name(),
                    "SYSTEM VIEW",
                    "MEMORY",
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    "utf-8",
                    null,
                    null,
                    "");
        }
        ZoneId zone = ZoneId.of(context.statement().settings().timeZone());
        context.forEachTable((database, table) -> {
            if (table instanceof OlapTable stored) {
                addStored(rows, context, zone, database, stored);
            } else {
                rows.add(
                        Session.INTERNAL_CATALOG,
                        database.name(),
                        table.name(),
                        "VIEW",
                        "View",
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        SchemaRows.time(table.createMillis(), zone),
                        null,
                        null,
                        "utf-8",
                        null,
                        null,
                        table.comment());
            }
        });
        return rows.rows();
    }

    private static void addStored(
            SchemaRows rows, SchemaTableContext context, ZoneId zone, Database database, OlapTable table) {
        long numRows = context.services().replicas().numRows(table);
        long bytes = context.services().replicas().dataBytes(table);
        long updated = table.partitions().values().stream()
                .mapToLong(Partition::visibleMillis)
                .max()
                .orElse(-1);
        rows.add(
                Session.INTERNAL_CATALOG,
                database.name(),
                table.name(),
                "BASE TABLE",
                "Doris",
                null,
                null,
                numRows,
                numRows == 0 ? 0 : bytes / numRows,
                bytes,
                null,
                0,
                null,
                null,
                SchemaRows.time(table.createMillis(), zone),
                SchemaRows.time(updated, zone),
                null,
                "utf-8",
                null,
                null,
                table.comment());
    }
}
