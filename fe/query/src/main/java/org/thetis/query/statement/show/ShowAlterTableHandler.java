// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import org.thetis.catalog.object.AlterJob;
import org.thetis.catalog.object.Database;
import org.thetis.catalog.object.Scope;
import org.thetis.query.result.StatementResult;
import org.thetis.query.result.TimeText;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowAlterTable;

/** SHOW ALTER TABLE: jobs of schema changes; there are none of other kinds. */
public final class ShowAlterTableHandler implements StatementHandler<ShowAlterTable> {
    private final StatementServices services;

    public ShowAlterTableHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowAlterTable> statementType() {
        return ShowAlterTable.class;
    }

    @Override
    public StatementResult run(ShowAlterTable statement, StatementContext context) {
        String database = ObjectName.databaseOrCurrent(statement.database(), context);
        ShowRows rows = statement.kind().equals("COLUMN")
                ? new ShowRows(
                        "JobId",
                        "TableName",
                        "CreateTime",
                        "FinishTime",
                        "IndexName",
                        "IndexId",
                        "OriginIndexId",
                        "SchemaVersion",
                        "TransactionId",
                        "State",
                        "Msg",
                        "Progress",
                        "Timeout")
                : new ShowRows(
                        "JobId",
                        "TableName",
                        "CreateTime",
                        "FinishTime",
                        "BaseIndexName",
                        "RollupIndexName",
                        "RollupId",
                        "TransactionId",
                        "State",
                        "Msg",
                        "Progress",
                        "Timeout");
        if (statement.kind().equals("COLUMN")) {
            addJobs(rows, services.snapshot().getDatabase(database), context);
        }
        return rows.result(statement.filter(), 1);
    }

    private void addJobs(ShowRows rows, Database database, StatementContext context) {
        for (AlterJob job : services.snapshot().alterJobs().values()) {
            boolean seen = job.databaseId() == database.id()
                    && services.access()
                            .canSee(context.session().identity(), Scope.table(database.name(), job.tableName()));
            if (!seen) {
                continue;
            }
            rows.add(
                    job.id(),
                    job.tableName(),
                    TimeText.of(job.createMillis()),
                    job.finishMillis() < 0 ? null : TimeText.of(job.finishMillis()),
                    job.tableName(),
                    job.indexId(),
                    job.originIndexId(),
                    "1:" + job.schemaVersion(),
                    job.watershed(),
                    job.state(),
                    job.message(),
                    job.state() == AlterJob.State.RUNNING
                            ? services.schemaChanges().progress(job)
                            : null,
                    job.timeoutMillis() / 1000);
        }
    }
}
