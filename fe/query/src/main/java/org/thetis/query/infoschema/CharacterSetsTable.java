// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.util.List;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.expr.Literal;

/** Character sets: UTF-8. */
public final class CharacterSetsTable implements SchemaTable {
    private static final List<ResolvedTable.Column> COLUMNS =
            SchemaRows.columns("CHARACTER_SET_NAME", "DEFAULT_COLLATE_NAME", "DESCRIPTION", "MAXLEN bigint");

    @Override
    public String name() {
        return "character_sets";
    }

    @Override
    public List<ResolvedTable.Column> columns() {
        return COLUMNS;
    }

    @Override
    public List<List<Literal>> rows(SchemaTableContext context) {
        return new SchemaRows(COLUMNS)
                .add("utf8mb4", "utf8mb4_0900_bin", "UTF-8 Unicode", 4)
                .rows();
    }
}
