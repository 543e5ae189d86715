// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement;

import java.time.Instant;
import java.util.List;
import org.thetis.query.schedule.QueryCounters;
import org.thetis.query.session.Cancellation;
import org.thetis.query.session.QueryId;
import org.thetis.query.session.Session;
import org.thetis.query.session.StatementContext;

/** One key look-up that ended on its connection's event loop, for the audit log. State is EOF or ERR as in MySQL replies. */
public record LookupEvent(
        QueryId queryId,
        String sql,
        boolean binaryRows,
        String state,
        int errorCode,
        String errorMessage,
        long startMillis,
        long elapsedMillis,
        long returnedRows) {

    /** The same as of any statement; the session is that of the connection. */
    public AuditEvent toAuditEvent(Session session) {
        StatementContext statement = new StatementContext(
                session,
                queryId,
                sql,
                Instant.ofEpochMilli(startMillis),
                session.variables(),
                List.of(),
                binaryRows,
                new Cancellation());
        return new AuditEvent(
                statement, true, state, errorCode, errorMessage, elapsedMillis, returnedRows, new QueryCounters());
    }
}
