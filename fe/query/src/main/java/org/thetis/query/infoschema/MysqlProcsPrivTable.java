// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.util.List;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.expr.Literal;

/** mysql.procs_priv: empty, for dump tools. */
public final class MysqlProcsPrivTable implements SchemaTable {
    private static final List<ResolvedTable.Column> COLUMNS = SchemaRows.columns(
            "Host", "Db", "User", "Routine_name", "Routine_type", "Grantor", "Proc_priv", "Timestamp datetime");

    @Override
    public String database() {
        return "mysql";
    }

    @Override
    public String name() {
        return "procs_priv";
    }

    @Override
    public List<ResolvedTable.Column> columns() {
        return COLUMNS;
    }

    @Override
    public List<List<Literal>> rows(SchemaTableContext context) {
        return List.of();
    }
}
