// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.Partition;
import org.thetis.query.result.StatementResult;
import org.thetis.query.result.TimeText;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowTableStats;

/** SHOW TABLE STATS: what back ends reported of the table. */
public final class ShowTableStatsHandler implements StatementHandler<ShowTableStats> {
    private final StatementServices services;

    public ShowTableStatsHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowTableStats> statementType() {
        return ShowTableStats.class;
    }

    @Override
    public StatementResult run(ShowTableStats statement, StatementContext context) {
        OlapTable table = VisibleTables.getStored(services, context, ObjectName.of(statement.table(), context));
        long updated = table.partitions().values().stream()
                .mapToLong(Partition::visibleMillis)
                .max()
                .orElse(-1);
        return new ShowRows(
                        "updated_rows",
                        "query_times",
                        "row_count",
                        "updated_time",
                        "columns",
                        "trigger",
                        "new_partition",
                        "user_inject",
                        "enable_auto_analyze")
                .add(
                        0,
                        0,
                        services.replicas().numRows(table),
                        TimeText.of(updated),
                        "",
                        "REPORT",
                        "false",
                        "false",
                        "true")
                .result();
    }
}
