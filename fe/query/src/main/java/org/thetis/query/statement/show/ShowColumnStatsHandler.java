// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowColumnStats;

/** SHOW COLUMN STATS: no column statistics are kept yet. */
public final class ShowColumnStatsHandler implements StatementHandler<ShowColumnStats> {
    private final StatementServices services;

    public ShowColumnStatsHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowColumnStats> statementType() {
        return ShowColumnStats.class;
    }

    @Override
    public StatementResult run(ShowColumnStats statement, StatementContext context) {
        VisibleTables.getStored(services, context, ObjectName.of(statement.table(), context));
        return new ShowRows(
                        "column_name",
                        "index_name",
                        "count",
                        "ndv",
                        "num_null",
                        "data_size",
                        "avg_size_byte",
                        "min",
                        "max",
                        "method",
                        "type",
                        "trigger",
                        "query_times",
                        "updated_time",
                        "update_rows",
                        "last_analyze_row_count")
                .result();
    }
}
