// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.util.List;
import org.thetis.catalog.object.Scope;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.expr.Literal;

/** Privileges users have at the global level. */
public final class UserPrivilegesTable implements SchemaTable {
    private static final List<ResolvedTable.Column> COLUMNS =
            SchemaRows.columns("GRANTEE", "TABLE_CATALOG", "PRIVILEGE_TYPE", "IS_GRANTABLE");

    @Override
    public String name() {
        return "user_privileges";
    }

    @Override
    public List<ResolvedTable.Column> columns() {
        return COLUMNS;
    }

    @Override
    public List<List<Literal>> rows(SchemaTableContext context) {
        SchemaRows rows = new SchemaRows(COLUMNS);
        GrantList.of(context, Scope.Level.GLOBAL)
                .forEach(granted -> rows.add(granted.grantee(), "def", granted.privilege(), granted.grantable()));
        return rows.rows();
    }
}
