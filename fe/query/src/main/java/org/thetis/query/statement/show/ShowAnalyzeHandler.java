// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.sql.ast.show.ShowAnalyze;

/** SHOW ANALYZE: no statistics jobs exist yet. */
public final class ShowAnalyzeHandler implements StatementHandler<ShowAnalyze> {
    @Override
    public Class<ShowAnalyze> statementType() {
        return ShowAnalyze.class;
    }

    @Override
    public StatementResult run(ShowAnalyze statement, StatementContext context) {
        return new ShowRows(
                        "job_id",
                        "catalog_name",
                        "db_name",
                        "tbl_name",
                        "col_name",
                        "job_type",
                        "analysis_type",
                        "message",
                        "last_exec_time_in_ms",
                        "state",
                        "progress",
                        "schedule_type",
                        "start_time",
                        "end_time",
                        "priority",
                        "enable_partition")
                .result(statement.filter());
    }
}
