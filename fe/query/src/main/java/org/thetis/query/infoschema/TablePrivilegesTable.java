// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.util.List;
import org.thetis.catalog.object.Scope;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.expr.Literal;

/** Privileges users have at the table level. */
public final class TablePrivilegesTable implements SchemaTable {
    private static final List<ResolvedTable.Column> COLUMNS = SchemaRows.columns(
            "GRANTEE", "TABLE_CATALOG", "TABLE_SCHEMA", "TABLE_NAME", "PRIVILEGE_TYPE", "IS_GRANTABLE");

    @Override
    public String name() {
        return "table_privileges";
    }

    @Override
    public List<ResolvedTable.Column> columns() {
        return COLUMNS;
    }

    @Override
    public List<List<Literal>> rows(SchemaTableContext context) {
        SchemaRows rows = new SchemaRows(COLUMNS);
        GrantList.of(context, Scope.Level.TABLE).forEach(granted -> {
            Scope scope = granted.scope();
            rows.add(
                    granted.grantee(),
                    "def",
                    scope.database(),
                    scope.table(),
                    granted.privilege(),
                    granted.grantable());
        });
        return rows.rows();
    }
}
