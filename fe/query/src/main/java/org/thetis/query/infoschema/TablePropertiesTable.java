// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.util.List;
import java.util.TreeMap;
import org.thetis.catalog.object.OlapTable;
import org.thetis.query.session.Session;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.expr.Literal;

/** Properties that were set on stored tables. */
public final class TablePropertiesTable implements SchemaTable {
    private static final List<ResolvedTable.Column> COLUMNS =
            SchemaRows.columns("TABLE_CATALOG", "TABLE_SCHEMA", "TABLE_NAME", "PROPERTY_NAME", "PROPERTY_VALUE");

    @Override
    public String name() {
        return "table_properties";
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
                new TreeMap<>(stored.properties().values())
                        .forEach((key, value) ->
                                rows.add(Session.INTERNAL_CATALOG, database.name(), table.name(), key, value));
            }
        });
        return rows.rows();
    }
}
