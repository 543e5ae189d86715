// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.util.List;
import org.thetis.catalog.object.Database;
import org.thetis.query.session.Session;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.expr.Literal;

/** Databases. */
public final class SchemataTable implements SchemaTable {
    private static final List<ResolvedTable.Column> COLUMNS = SchemaRows.columns(
            "CATALOG_NAME",
            "SCHEMA_NAME",
            "DEFAULT_CHARACTER_SET_NAME",
            "DEFAULT_COLLATION_NAME",
            "SQL_PATH",
            "DEFAULT_ENCRYPTION");

    @Override
    public String name() {
        return "schemata";
    }

    @Override
    public List<ResolvedTable.Column> columns() {
        return COLUMNS;
    }

    @Override
    public List<List<Literal>> rows(SchemaTableContext context) {
        SchemaRows rows = new SchemaRows(COLUMNS);
        for (String name : List.of("information_schema", "mysql")) {
            rows.add(Session.INTERNAL_CATALOG, name, "utf8mb4", "utf8mb4_0900_bin", null, "NO");
        }
        for (Database database : context.databases()) {
            rows.add(Session.INTERNAL_CATALOG, database.name(), "utf8mb4", "utf8mb4_0900_bin", null, "NO");
        }
        return rows.rows();
    }
}
