// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.dml;

import org.thetis.query.load.SessionTransactions;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.dml.Rollback;

/** ROLLBACK; outside of a transaction OK, as in MySQL. */
public final class RollbackHandler implements StatementHandler<Rollback> {
    private final SessionTransactions transactions;

    public RollbackHandler(StatementServices services) {
        this.transactions = services.sessionTransactions();
    }

    @Override
    public Class<Rollback> statementType() {
        return Rollback.class;
    }

    @Override
    public StatementResult run(Rollback statement, StatementContext context) {
        return transactions.rollback(context);
    }
}
