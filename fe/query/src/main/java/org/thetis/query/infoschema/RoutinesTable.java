// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.util.List;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.expr.Literal;

/** Stored routines: there are none. */
public final class RoutinesTable implements SchemaTable {
    private static final List<ResolvedTable.Column> COLUMNS = SchemaRows.columns(
            "SPECIFIC_NAME",
            "ROUTINE_CATALOG",
            "ROUTINE_SCHEMA",
            "ROUTINE_NAME",
            "ROUTINE_TYPE",
            "DTD_IDENTIFIER",
            "ROUTINE_BODY",
            "ROUTINE_DEFINITION",
            "EXTERNAL_NAME",
            "EXTERNAL_LANGUAGE",
            "PARAMETER_STYLE",
            "IS_DETERMINISTIC",
            "SQL_DATA_ACCESS",
            "SQL_PATH",
            "SECURITY_TYPE",
            "CREATED datetime",
            "LAST_ALTERED datetime",
            "SQL_MODE",
            "ROUTINE_COMMENT",
            "DEFINER",
            "CHARACTER_SET_CLIENT",
            "COLLATION_CONNECTION",
            "DATABASE_COLLATION");

    @Override
    public String name() {
        return "routines";
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
