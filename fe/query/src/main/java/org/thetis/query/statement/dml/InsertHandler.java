// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.dml;

import java.util.Optional;
import org.thetis.query.load.InsertRunner;
import org.thetis.query.load.OverwriteRunner;
import org.thetis.query.load.SessionTransactions;
import org.thetis.query.result.StatementResult;
import org.thetis.query.schedule.QueryCounters;
import org.thetis.query.session.OpenTransaction;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.CountingHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.dml.Insert;

/** INSERT INTO ... VALUES and SELECT, alone or in a transaction. */
public final class InsertHandler implements CountingHandler<Insert> {
    private final InsertRunner inserts;
    private final OverwriteRunner overwrites;
    private final SessionTransactions transactions;

    public InsertHandler(StatementServices services) {
        this.inserts = services.inserts();
        this.overwrites = services.overwrites();
        this.transactions = services.sessionTransactions();
    }

    @Override
    public Class<Insert> statementType() {
        return Insert.class;
    }

    @Override
    public StatementResult run(Insert statement, StatementContext context, QueryCounters counters) {
        Optional<OpenTransaction> open = context.session().openTransaction();
        if (statement.overwrite() && open.isEmpty()) {
            return overwrites.run(statement, context, counters);
        }
        return open.isPresent()
                ? transactions.add(open.get(), statement, context)
                : inserts.run(statement, context, counters);
    }
}
