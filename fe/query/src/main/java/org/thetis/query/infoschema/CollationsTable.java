// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.util.List;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.expr.Literal;

/** Collations: text compares by bytes. */
public final class CollationsTable implements SchemaTable {
    private static final List<ResolvedTable.Column> COLUMNS = SchemaRows.columns(
            "COLLATION_NAME", "CHARACTER_SET_NAME", "ID bigint", "IS_DEFAULT", "IS_COMPILED", "SORTLEN bigint");

    @Override
    public String name() {
        return "collations";
    }

    @Override
    public List<ResolvedTable.Column> columns() {
        return COLUMNS;
    }

    @Override
    public List<List<Literal>> rows(SchemaTableContext context) {
        return new SchemaRows(COLUMNS)
                .add("utf8mb4_0900_bin", "utf8mb4", 309, "Yes", "Yes", 1)
                .add("utf8mb3_general_ci", "utf8mb3", 33, "", "Yes", 1)
                .rows();
    }
}
