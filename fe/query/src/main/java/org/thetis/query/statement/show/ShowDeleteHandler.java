// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import java.util.Map;
import org.thetis.catalog.object.Database;
import org.thetis.catalog.object.Table;
import org.thetis.catalog.object.Transaction;
import org.thetis.catalog.object.TransactionStatus;
import org.thetis.query.load.DeleteRunner;
import org.thetis.query.result.StatementResult;
import org.thetis.query.result.TimeText;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowDelete;

/** SHOW DELETE: deletions by condition that are committed, as long as their transactions are remembered, newest first. */
public final class ShowDeleteHandler implements StatementHandler<ShowDelete> {
    private final StatementServices services;

    public ShowDeleteHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowDelete> statementType() {
        return ShowDelete.class;
    }

    @Override
    public StatementResult run(ShowDelete statement, StatementContext context) {
        String name = ObjectName.databaseOrCurrent(statement.database(), context);
        services.access().checkDatabaseVisible(context.session().identity(), name);
        Database database = services.snapshot().getDatabase(name);
        ShowRows rows = new ShowRows("TableName", "PartitionName", "CreateTime", "DeleteCondition", "State");
        for (Transaction transaction : services.transactions().list(database.id())) {
            Map<String, String> details = transaction.attachment();
            if (details.containsKey(DeleteRunner.CONDITION)) {
                String table = transaction.tableIds().stream()
                        .findFirst()
                        .flatMap(database::findTable)
                        .map(Table::name)
                        .orElse("");
                rows.add(
                        table,
                        details.getOrDefault(DeleteRunner.PARTITIONS, ""),
                        TimeText.of(transaction.prepareMillis(), ""),
                        details.getOrDefault(DeleteRunner.CONDITION, ""),
                        transaction.status() == TransactionStatus.VISIBLE ? "FINISHED" : "DELETING");
            }
        }
        return rows.result();
    }
}
