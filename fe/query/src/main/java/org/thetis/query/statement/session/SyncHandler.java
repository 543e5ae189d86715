// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.session;

import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.sql.ast.session.Sync;

/** SYNC: every change is applied before its statement returns, so there is nothing to wait for. */
public final class SyncHandler implements StatementHandler<Sync> {
    @Override
    public Class<Sync> statementType() {
        return Sync.class;
    }

    @Override
    public StatementResult run(Sync statement, StatementContext context) {
        return StatementResult.Done.NOTHING;
    }
}
