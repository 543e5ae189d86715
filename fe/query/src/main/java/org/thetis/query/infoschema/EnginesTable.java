// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.util.List;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.expr.Literal;

/** Storage engines. */
public final class EnginesTable implements SchemaTable {
    private static final List<ResolvedTable.Column> COLUMNS =
            SchemaRows.columns("ENGINE", "SUPPORT", "COMMENT", "TRANSACTIONS", "XA", "SAVEPOINTS");

    @Override
    public String name() {
        return "engines";
    }

    @Override
    public List<ResolvedTable.Column> columns() {
        return COLUMNS;
    }

    @Override
    public List<List<Literal>> rows(SchemaTableContext context) {
        return new SchemaRows(COLUMNS)
                .add("OLAP", "DEFAULT", "Default storage engine", "NO", "NO", "NO")
                .rows();
    }
}
