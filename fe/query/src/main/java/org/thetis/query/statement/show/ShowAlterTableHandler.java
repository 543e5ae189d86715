// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.sql.ast.show.ShowAlterTable;

/** SHOW ALTER TABLE: jobs of schema changes, of which there are none yet. */
public final class ShowAlterTableHandler implements StatementHandler<ShowAlterTable> {
    @Override
    public Class<ShowAlterTable> statementType() {
        return ShowAlterTable.class;
    }

    @Override
    public StatementResult run(ShowAlterTable statement, StatementContext context) {
        ObjectName.databaseOrCurrent(statement.database(), context);
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
        return rows.result(statement.filter(), 1);
    }
}
