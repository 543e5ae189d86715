// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.dml;

import org.thetis.query.load.InsertRunner;
import org.thetis.query.result.StatementResult;
import org.thetis.query.schedule.QueryCounters;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.CountingHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.dml.Insert;

/** INSERT INTO ... VALUES and SELECT. */
public final class InsertHandler implements CountingHandler<Insert> {
    private final InsertRunner inserts;

    public InsertHandler(StatementServices services) {
        this.inserts = services.inserts();
    }

    @Override
    public Class<Insert> statementType() {
        return Insert.class;
    }

    @Override
    public StatementResult run(Insert statement, StatementContext context, QueryCounters counters) {
        return inserts.run(statement, context, counters);
    }
}
