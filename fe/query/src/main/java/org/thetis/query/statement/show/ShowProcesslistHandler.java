// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import java.util.Optional;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.Scope;
import org.thetis.query.result.StatementResult;
import org.thetis.query.result.TimeText;
import org.thetis.query.session.Session;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowProcesslist;

/** SHOW [FULL] PROCESSLIST: the user's own sessions, all of them for administrators. */
public final class ShowProcesslistHandler implements StatementHandler<ShowProcesslist> {
    private final StatementServices services;

    public ShowProcesslistHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowProcesslist> statementType() {
        return ShowProcesslist.class;
    }

    @Override
    public StatementResult run(ShowProcesslist statement, StatementContext context) {
        boolean all = services.access().has(context.session().identity(), Scope.GLOBAL, Privilege.ADMIN);
        ShowRows rows = new ShowRows(
                        "CurrentConnected",
                        "Id",
                        "User",
                        "Host",
                        "LoginTime",
                        "Catalog",
                        "Db",
                        "Command",
                        "Time",
                        "State",
                        "QueryId",
                        "Info",
                        "FE",
                        "CloudCluster")
                .numeric("Id", "Time");
        long now = services.clock().millis();
        for (Session session : services.sessions().all()) {
            if (!all && !session.identity().equals(context.session().identity())) {
                continue;
            }
            Optional<StatementContext> running = session.running();
            String sql = running.map(StatementContext::sql).orElse("");
            rows.add(
                    session.id() == context.session().id() ? "Yes" : "No",
                    session.id(),
                    session.userName(),
                    session.clientAddress(),
                    TimeText.of(session.loginMillis()),
                    Session.INTERNAL_CATALOG,
                    session.database().orElse(""),
                    session.command(),
                    (now - session.commandSinceMillis()) / 1000,
                    running.isPresent() ? "OK" : "",
                    running.map(statementContext -> statementContext.queryId().toString())
                            .orElse(session.lastQueryId()),
                    statement.full() || sql.length() <= SHORT_TEXT ? sql : sql.substring(0, SHORT_TEXT),
                    services.server().host(),
                    "NULL");
        }
        return rows.result();
    }

    private static final int SHORT_TEXT = 100;
}
