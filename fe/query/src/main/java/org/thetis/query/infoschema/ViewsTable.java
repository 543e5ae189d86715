// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.util.List;
import org.thetis.catalog.object.View;
import org.thetis.query.session.Session;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.expr.Literal;

/** Views with their queries. */
public final class ViewsTable implements SchemaTable {
    private static final List<ResolvedTable.Column> COLUMNS = SchemaRows.columns(
            "TABLE_CATALOG",
            "TABLE_SCHEMA",
            "TABLE_NAME",
            "VIEW_DEFINITION varchar(8096)",
            "CHECK_OPTION",
            "IS_UPDATABLE",
            "DEFINER",
            "SECURITY_TYPE",
            "CHARACTER_SET_CLIENT",
            "COLLATION_CONNECTION");

    @Override
    public String name() {
        return "views";
    }

    @Override
    public List<ResolvedTable.Column> columns() {
        return COLUMNS;
    }

    @Override
    public List<List<Literal>> rows(SchemaTableContext context) {
        SchemaRows rows = new SchemaRows(COLUMNS);
        context.forEachTable((database, table) -> {
            if (table instanceof View view) {
                rows.add(
                        Session.INTERNAL_CATALOG,
                        database.name(),
                        view.name(),
                        view.query(),
                        "NONE",
                        "NO",
                        "root@%",
                        "DEFINER",
                        "utf8mb4",
                        "utf8mb4_0900_bin");
            }
        });
        return rows.rows();
    }
}
