// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.util.List;
import org.thetis.query.session.Session;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.expr.Literal;

/** Names and ids of databases and tables. */
public final class MetadataNameIdsTable implements SchemaTable {
    private static final List<ResolvedTable.Column> COLUMNS = SchemaRows.columns(
            "CATALOG_ID bigint",
            "CATALOG_NAME",
            "DATABASE_ID bigint",
            "DATABASE_NAME",
            "TABLE_ID bigint",
            "TABLE_NAME");

    @Override
    public String name() {
        return "metadata_name_ids";
    }

    @Override
    public List<ResolvedTable.Column> columns() {
        return COLUMNS;
    }

    @Override
    public List<List<Literal>> rows(SchemaTableContext context) {
        SchemaRows rows = new SchemaRows(COLUMNS);
        context.forEachTable((database, table) ->
                rows.add(0, Session.INTERNAL_CATALOG, database.id(), database.name(), table.id(), table.name()));
        return rows.rows();
    }
}
