// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.http;

import java.time.Duration;
import java.util.List;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.Scope;
import org.thetis.catalog.object.User;
import org.thetis.query.result.StatementResult;
import org.thetis.query.result.TextRows;
import org.thetis.query.session.Session;
import org.thetis.query.session.SessionVariables;
import org.thetis.sql.parser.ParsedStatement;

/** A session that lasts for one HTTP call; close() ends it. */
final class HttpSession implements AutoCloseable {
    private final HttpServices services;
    private final Session session;

    private HttpSession(HttpServices services, Session session) {
        this.services = services;
        this.session = session;
    }

    static HttpSession open(HttpServices services, HttpCall call) {
        User user = call.requireUser();
        Session session = new Session(
                services.sessions().nextConnectionId(),
                user.identity(),
                user.identity().name(),
                call.clientHost(),
                call.clientPort(),
                services.clock().millis(),
                new SessionVariables(services.variables()),
                // Nothing to close: KILL ends the running statement, which ends the call.
                () -> {});
        boolean administrator =
                services.catalog().snapshot().accessChecker().has(user.identity(), Scope.GLOBAL, Privilege.ADMIN);
        services.sessions()
                .register(
                        session,
                        Integer.parseInt(user.properties().getOrDefault("max_user_connections", "100")),
                        administrator);
        return new HttpSession(services, session);
    }

    void useDatabase(String name) {
        services.catalog().snapshot().accessChecker().checkDatabaseVisible(session.identity(), name);
        services.catalog().snapshot().getDatabase(name);
        session.useDatabase(name);
    }

    /** Runs exactly one statement. */
    StatementResult run(String sql) {
        List<ParsedStatement> statements = services.runner().parse(sql, session);
        if (statements.size() != 1) {
            throw new ThetisException(
                    ErrorCode.SYNTAX_ERROR, "exactly one statement is expected, not " + statements.size());
        }
        return services.runner().run(session, statements.get(0), List.of(), false);
    }

    /** Runs a statement whose rows the front end holds. */
    StatementResult.Held held(String sql) {
        return collect(run(sql), Integer.MAX_VALUE);
    }

    /** All rows of a result, at most so many. */
    StatementResult.Held collect(StatementResult result, int limit) {
        if (result instanceof StatementResult.Held held) {
            return held.rows().size() <= limit
                    ? held
                    : new StatementResult.Held(held.columns(), held.rows().subList(0, limit));
        }
        if (result instanceof StatementResult.Streamed streamed) {
            Duration deadline =
                    Duration.ofSeconds(session.variables().settings().queryTimeout() + 10L);
            return new StatementResult.Held(
                    streamed.columns(),
                    TextRows.readAll(streamed.stream(), streamed.columns().size(), limit, deadline));
        }
        throw new ThetisException(ErrorCode.ANALYSIS, "the statement gives no rows");
    }

    @Override
    public void close() {
        services.sessions().remove(session);
    }
}
