// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.dml;

import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.sql.ast.dml.Commit;

/** COMMIT outside of a transaction: OK, as in MySQL. */
public final class CommitHandler implements StatementHandler<Commit> {
    @Override
    public Class<Commit> statementType() {
        return Commit.class;
    }

    @Override
    public StatementResult run(Commit statement, StatementContext context) {
        return StatementResult.Done.NOTHING;
    }
}
