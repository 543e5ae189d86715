// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.dml;

import org.thetis.base.error.ThetisException;
import org.thetis.query.point.SharedPointPlans;
import org.thetis.query.result.QueryRunner;
import org.thetis.query.result.StatementResult;
import org.thetis.query.schedule.QueryCounters;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.CountingHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.QueryStatement;

/** SELECT and its kin. */
public final class QueryHandler implements CountingHandler<QueryStatement> {
    private final QueryRunner queries;
    private final SharedPointPlans pointPlans;

    public QueryHandler(StatementServices services) {
        this.queries = services.queries();
        this.pointPlans = services.pointPlans();
    }

    @Override
    public Class<QueryStatement> statementType() {
        return QueryStatement.class;
    }

    @Override
    public StatementResult run(QueryStatement statement, StatementContext context, QueryCounters counters) {
        if (statement.outfile() != null) {
            throw ThetisException.notSupported("SELECT INTO OUTFILE");
        }
        pointPlans.learn(statement, context);
        return queries.run(statement, context, counters);
    }
}
