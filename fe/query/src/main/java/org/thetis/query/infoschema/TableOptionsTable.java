// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.util.List;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.Distribution;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.query.session.Session;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.expr.Literal;

/** How stored tables are arranged. */
public final class TableOptionsTable implements SchemaTable {
    private static final List<ResolvedTable.Column> COLUMNS = SchemaRows.columns(
            "TABLE_CATALOG",
            "TABLE_SCHEMA",
            "TABLE_NAME",
            "TABLE_MODEL",
            "TABLE_MODEL_KEY",
            "DISTRIBUTE_KEY",
            "DISTRIBUTE_TYPE",
            "BUCKETS_NUM bigint",
            "PARTITION_NUM bigint");

    @Override
    public String name() {
        return "table_options";
    }

    @Override
    public List<ResolvedTable.Column> columns() {
        return COLUMNS;
    }

    @Override
    public List<List<Literal>> rows(SchemaTableContext context) {
        SchemaRows rows = new SchemaRows(COLUMNS);
        context.forEachTable((database, table) -> {
            if (table instanceof OlapTable stored) {
                Distribution distribution = stored.distribution();
                rows.add(
                        Session.INTERNAL_CATALOG,
                        database.name(),
                        table.name(),
                        stored.keysModel().showName(),
                        String.join(
                                ",",
                                stored.baseIndex().keyColumns().stream()
                                        .map(SchemaColumn::name)
                                        .toList()),
                        String.join(",", distribution.columns()),
                        distribution.kind().name(),
                        distribution.buckets(),
                        stored.partitions().size());
            }
        });
        return rows.rows();
    }
}
