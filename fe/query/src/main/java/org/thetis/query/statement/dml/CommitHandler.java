// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.dml;

import org.thetis.query.load.SessionTransactions;
import org.thetis.query.result.StatementResult;
import org.thetis.query.schedule.QueryCounters;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.CountingHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.dml.Commit;

/** COMMIT; outside of a transaction OK, as in MySQL. */
public final class CommitHandler implements CountingHandler<Commit> {
    private final SessionTransactions transactions;

    public CommitHandler(StatementServices services) {
        this.transactions = services.sessionTransactions();
    }

    @Override
    public Class<Commit> statementType() {
        return Commit.class;
    }

    @Override
    public StatementResult run(Commit statement, StatementContext context, QueryCounters counters) {
        return transactions.commit(context, counters);
    }
}
