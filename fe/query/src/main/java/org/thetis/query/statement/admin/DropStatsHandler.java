// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.admin;

import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.sql.ast.admin.DropStats;

/** DROP STATS: no column statistics are kept, so there is nothing to drop. */
public final class DropStatsHandler implements StatementHandler<DropStats> {
    @Override
    public Class<DropStats> statementType() {
        return DropStats.class;
    }

    @Override
    public StatementResult run(DropStats statement, StatementContext context) {
        return StatementResult.Done.NOTHING;
    }
}
