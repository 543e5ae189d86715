// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.session;

import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.sql.ast.NoOperation;

/** Statements of MySQL that are accepted and do nothing, such as LOCK TABLES. */
public final class NoOperationHandler implements StatementHandler<NoOperation> {
    @Override
    public Class<NoOperation> statementType() {
        return NoOperation.class;
    }

    @Override
    public StatementResult run(NoOperation statement, StatementContext context) {
        return StatementResult.Done.NOTHING;
    }
}
