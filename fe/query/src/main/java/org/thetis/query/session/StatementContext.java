// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.session;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.thetis.sql.expr.Literal;

/**
 * One statement while it runs: who runs it, under which id, with which variables and parameters, and the switch that ends it.
 *
 * @param variables the session's, overlaid by SET_VAR hints
 * @param parameters values of placeholders, by ordinal
 * @param binaryRows whether the client wants binary rows (COM_STMT_EXECUTE)
 */
public record StatementContext(
        Session session,
        QueryId queryId,
        String sql,
        Instant start,
        SessionVariables variables,
        List<Literal> parameters,
        boolean binaryRows,
        Cancellation cancellation) {
    public StatementContext {
        parameters = List.copyOf(parameters);
    }

    public long startMillis() {
        return start.toEpochMilli();
    }

    /** Microseconds since 1970-01-01 UTC, the statement's now(). */
    public long startMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, start);
    }

    public SessionSettings settings() {
        return variables.settings();
    }

    /** The same statement with hints applied to its variables. */
    public StatementContext withVariables(SessionVariables changed) {
        return new StatementContext(session, queryId, sql, start, changed, parameters, binaryRows, cancellation);
    }
}
