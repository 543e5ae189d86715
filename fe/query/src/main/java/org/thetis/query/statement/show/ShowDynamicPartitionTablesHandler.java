// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.sql.ast.show.ShowDynamicPartitionTables;

/** SHOW DYNAMIC PARTITION TABLES: there are none yet. */
public final class ShowDynamicPartitionTablesHandler implements StatementHandler<ShowDynamicPartitionTables> {
    @Override
    public Class<ShowDynamicPartitionTables> statementType() {
        return ShowDynamicPartitionTables.class;
    }

    @Override
    public StatementResult run(ShowDynamicPartitionTables statement, StatementContext context) {
        ObjectName.databaseOrCurrent(statement.database(), context);
        return new ShowRows(
                        "TableName",
                        "Enable",
                        "TimeUnit",
                        "Start",
                        "End",
                        "Prefix",
                        "Buckets",
                        "ReplicationNum",
                        "ReplicaAllocation",
                        "StartOf",
                        "LastUpdateTime",
                        "LastSchedulerTime",
                        "State",
                        "LastCreatePartitionMsg",
                        "LastDropPartitionMsg",
                        "ReservedHistoryPeriods")
                .result();
    }
}
