// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import org.thetis.catalog.object.Transaction;
import org.thetis.query.result.StatementResult;
import org.thetis.query.result.TimeText;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowFilter;
import org.thetis.sql.ast.show.ShowTransaction;

/** SHOW TRANSACTION WHERE id, label or status. */
public final class ShowTransactionHandler implements StatementHandler<ShowTransaction> {
    private final StatementServices services;

    public ShowTransactionHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowTransaction> statementType() {
        return ShowTransaction.class;
    }

    @Override
    public StatementResult run(ShowTransaction statement, StatementContext context) {
        String database = ObjectName.databaseOrCurrent(statement.database(), context);
        services.access().checkDatabaseVisible(context.session().identity(), database);
        ShowRows rows = header();
        services.transactions()
                .list(services.snapshot().getDatabase(database).id())
                .forEach(transaction -> add(rows, transaction));
        return rows.result(new ShowFilter(
                statement.filter().like(),
                TransactionFilter.translate(statement.filter().where()),
                statement.filter().orderBy(),
                statement.filter().limit()));
    }

    static ShowRows header() {
        return new ShowRows(
                "TransactionId",
                "Label",
                "Coordinator",
                "TransactionStatus",
                "LoadJobSourceType",
                "PrepareTime",
                "PreCommitTime",
                "CommitTime",
                "PublishTime",
                "FinishTime",
                "Reason",
                "ErrorReplicasCount",
                "ListenerId",
                "TimeoutMs",
                "ErrMsg");
    }

    static void add(ShowRows rows, Transaction transaction) {
        rows.add(
                transaction.id(),
                transaction.label(),
                transaction.coordinator(),
                transaction.status(),
                transaction.source(),
                TimeText.of(transaction.prepareMillis()),
                TimeText.of(transaction.precommitMillis()),
                TimeText.of(transaction.commitMillis()),
                TimeText.of(transaction.finishMillis()),
                TimeText.of(transaction.finishMillis()),
                transaction.reason(),
                0,
                -1,
                transaction.timeoutMillis(),
                "");
    }
}
