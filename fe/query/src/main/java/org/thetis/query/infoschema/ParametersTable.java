// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.util.List;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.expr.Literal;

/** Parameters of routines: there are none. */
public final class ParametersTable implements SchemaTable {
    private static final List<ResolvedTable.Column> COLUMNS = SchemaRows.columns(
            "SPECIFIC_CATALOG",
            "SPECIFIC_SCHEMA",
            "SPECIFIC_NAME",
            "ORDINAL_POSITION bigint",
            "PARAMETER_MODE",
            "PARAMETER_NAME",
            "DATA_TYPE",
            "CHARACTER_MAXIMUM_LENGTH bigint",
            "CHARACTER_OCTET_LENGTH bigint",
            "NUMERIC_PRECISION bigint",
            "NUMERIC_SCALE bigint",
            "DATETIME_PRECISION bigint",
            "CHARACTER_SET_NAME",
            "COLLATION_NAME",
            "DTD_IDENTIFIER",
            "ROUTINE_TYPE");

    @Override
    public String name() {
        return "parameters";
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
