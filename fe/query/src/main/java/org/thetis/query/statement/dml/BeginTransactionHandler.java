// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.dml;

import org.thetis.query.result.StatementResult;
import org.thetis.query.session.SqlWarning;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.sql.ast.dml.BeginTransaction;

/** BEGIN: a transaction over several statements is not built; drivers send it by habit and get OK with a warning. */
public final class BeginTransactionHandler implements StatementHandler<BeginTransaction> {
    @Override
    public Class<BeginTransaction> statementType() {
        return BeginTransaction.class;
    }

    @Override
    public StatementResult run(BeginTransaction statement, StatementContext context) {
        context.session().addWarning(SqlWarning.of("each statement commits by itself; BEGIN has no effect"));
        return new StatementResult.Done(0, context.session().warnings().size(), "");
    }
}
