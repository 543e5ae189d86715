// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.util.List;
import org.thetis.query.session.Variable;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.expr.Literal;

/** Variables of this session. */
public final class SessionVariablesTable implements SchemaTable {
    private static final List<ResolvedTable.Column> COLUMNS =
            SchemaRows.columns("VARIABLE_NAME", "VARIABLE_VALUE", "DEFAULT_VALUE", "CHANGED");

    @Override
    public String name() {
        return "session_variables";
    }

    @Override
    public List<ResolvedTable.Column> columns() {
        return COLUMNS;
    }

    @Override
    public List<List<Literal>> rows(SchemaTableContext context) {
        SchemaRows rows = new SchemaRows(COLUMNS);
        for (Variable variable :
                context.statement().variables().globals().catalog().all()) {
            String value = context.statement().variables().value(variable);
            rows.add(
                    variable.shownName(),
                    value,
                    variable.defaultText(),
                    value.equals(variable.defaultText()) ? "0" : "1");
        }
        return rows.rows();
    }
}
