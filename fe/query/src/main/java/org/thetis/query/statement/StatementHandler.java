// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement;

import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.sql.ast.Statement;

/**
 * Runs one kind of statement: checks access, does the work, gives the result. Handlers are stateless and shared by all sessions;
 * the folder listing is their registry, and each has a public constructor taking {@link StatementServices}, or none.
 */
public interface StatementHandler<S extends Statement> {
    /** The record this handler runs. */
    Class<S> statementType();

    StatementResult run(S statement, StatementContext context);
}
