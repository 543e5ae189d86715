// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.util.List;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.expr.Literal;

/** Statement profiles of MySQL's kind: there are none. */
public final class ProfilingTable implements SchemaTable {
    private static final List<ResolvedTable.Column> COLUMNS = SchemaRows.columns(
            "QUERY_ID bigint",
            "SEQ bigint",
            "STATE",
            "DURATION",
            "CPU_USER",
            "CPU_SYSTEM",
            "SOURCE_FUNCTION",
            "SOURCE_FILE",
            "SOURCE_LINE bigint");

    @Override
    public String name() {
        return "profiling";
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
