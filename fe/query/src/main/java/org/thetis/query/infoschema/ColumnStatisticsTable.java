// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.util.List;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.expr.Literal;

/** Column histograms: none are kept. */
public final class ColumnStatisticsTable implements SchemaTable {
    private static final List<ResolvedTable.Column> COLUMNS =
            SchemaRows.columns("SCHEMA_NAME", "TABLE_NAME", "COLUMN_NAME", "HISTOGRAM");

    @Override
    public String name() {
        return "column_statistics";
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
