// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.session;

import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.Scope;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.Session;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.session.Kill;

/** KILL [CONNECTION | QUERY] of an id, and KILL QUERY "query id". */
public final class KillHandler implements StatementHandler<Kill> {
    private final StatementServices services;

    public KillHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<Kill> statementType() {
        return Kill.class;
    }

    @Override
    public StatementResult run(Kill statement, StatementContext context) {
        Session target = find(statement);
        if (!target.identity().equals(context.session().identity())
                && !services.access().has(context.session().identity(), Scope.GLOBAL, Privilege.ADMIN)) {
            throw new ThetisException(ErrorCode.NOT_THREAD_OWNER, "You are not owner of thread " + target.id());
        }
        target.kill(!statement.query());
        return StatementResult.Done.NOTHING;
    }

    private Session find(Kill statement) {
        String queryId = statement.queryId();
        if (queryId != null) {
            return services.sessions()
                    .findByQueryId(queryId)
                    .orElseThrow(() -> new ThetisException(ErrorCode.UNKNOWN_QUERY, "Unknown query id: " + queryId));
        }
        long id = statement.connectionId() == null ? -1 : statement.connectionId();
        return services.sessions()
                .find(id)
                .orElseThrow(() -> new ThetisException(ErrorCode.UNKNOWN_THREAD, "Unknown thread id: " + id));
    }
}
