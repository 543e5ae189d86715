// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.dml;

import org.thetis.query.load.SessionTransactions;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.dml.BeginTransaction;

/** BEGIN [WITH LABEL l]: the INSERTs that follow are written together by COMMIT. */
public final class BeginTransactionHandler implements StatementHandler<BeginTransaction> {
    private final SessionTransactions transactions;

    public BeginTransactionHandler(StatementServices services) {
        this.transactions = services.sessionTransactions();
    }

    @Override
    public Class<BeginTransaction> statementType() {
        return BeginTransaction.class;
    }

    @Override
    public StatementResult run(BeginTransaction statement, StatementContext context) {
        return transactions.begin(statement.label(), context);
    }
}
