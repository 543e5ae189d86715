// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.dml;

import org.thetis.query.load.ChangeRunner;
import org.thetis.query.result.StatementResult;
import org.thetis.query.schedule.QueryCounters;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.CountingHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.dml.Update;

/** UPDATE: rows of a UNIQUE table are written again with other values. */
public final class UpdateHandler implements CountingHandler<Update> {
    private final ChangeRunner changes;

    public UpdateHandler(StatementServices services) {
        this.changes = services.changes();
    }

    @Override
    public Class<Update> statementType() {
        return Update.class;
    }

    @Override
    public StatementResult run(Update statement, StatementContext context, QueryCounters counters) {
        return changes.run(statement, context, counters);
    }
}
