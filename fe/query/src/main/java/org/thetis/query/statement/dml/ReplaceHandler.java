// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.dml;

import org.thetis.query.load.InsertRunner;
import org.thetis.query.result.StatementResult;
import org.thetis.query.schedule.QueryCounters;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.CountingHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.dml.Replace;

/** REPLACE INTO a UNIQUE table: an INSERT. */
public final class ReplaceHandler implements CountingHandler<Replace> {
    private final InsertRunner inserts;

    public ReplaceHandler(StatementServices services) {
        this.inserts = services.inserts();
    }

    @Override
    public Class<Replace> statementType() {
        return Replace.class;
    }

    @Override
    public StatementResult run(Replace statement, StatementContext context, QueryCounters counters) {
        return inserts.run(statement, context, counters);
    }
}
