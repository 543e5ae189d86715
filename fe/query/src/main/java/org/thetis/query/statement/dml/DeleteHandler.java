// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.dml;

import org.thetis.query.load.ChangeRunner;
import org.thetis.query.result.StatementResult;
import org.thetis.query.schedule.QueryCounters;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.CountingHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.dml.Delete;

/** DELETE: delete-signed rows of a UNIQUE table, a condition in storage for the other models. */
public final class DeleteHandler implements CountingHandler<Delete> {
    private final ChangeRunner changes;

    public DeleteHandler(StatementServices services) {
        this.changes = services.changes();
    }

    @Override
    public Class<Delete> statementType() {
        return Delete.class;
    }

    @Override
    public StatementResult run(Delete statement, StatementContext context, QueryCounters counters) {
        return changes.run(statement, context, counters);
    }
}
