// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement;

import org.thetis.query.result.StatementResult;
import org.thetis.query.schedule.QueryCounters;
import org.thetis.query.session.StatementContext;
import org.thetis.sql.ast.Statement;

/** A handler whose work on back ends is counted for the audit log. */
public interface CountingHandler<S extends Statement> extends StatementHandler<S> {
    StatementResult run(S statement, StatementContext context, QueryCounters counters);

    @Override
    default StatementResult run(S statement, StatementContext context) {
        return run(statement, context, new QueryCounters());
    }
}
