// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.Scope;
import org.thetis.query.session.Session;
import org.thetis.query.session.StatementContext;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.expr.Literal;

/** Sessions of this front end that the user may see. */
public final class ProcesslistTable implements SchemaTable {
    private static final List<ResolvedTable.Column> COLUMNS = SchemaRows.columns(
            "CURRENT_CONNECTED",
            "ID bigint",
            "USER",
            "HOST",
            "LOGIN_TIME datetime",
            "CATALOG",
            "DB",
            "COMMAND",
            "TIME bigint",
            "STATE",
            "QUERY_ID",
            "INFO varchar(65533)",
            "FE",
            "CLOUD_CLUSTER");

    @Override
    public String name() {
        return "processlist";
    }

    @Override
    public List<ResolvedTable.Column> columns() {
        return COLUMNS;
    }

    @Override
    public List<List<Literal>> rows(SchemaTableContext context) {
        SchemaRows rows = new SchemaRows(COLUMNS);
        Session own = context.statement().session();
        ZoneId zone = ZoneId.of(context.statement().settings().timeZone());
        boolean all = context.catalog().accessChecker().has(own.identity(), Scope.GLOBAL, Privilege.ADMIN);
        long now = context.services().clock().millis();
        for (Session session : context.services().sessions().all()) {
            if (!all && !session.identity().equals(own.identity())) {
                continue;
            }
            Optional<StatementContext> running = session.running();
            rows.add(
                    session.id() == own.id() ? "Yes" : "No",
                    session.id(),
                    session.userName(),
                    session.clientAddress(),
                    SchemaRows.time(session.loginMillis(), zone),
                    Session.INTERNAL_CATALOG,
                    session.database().orElse(""),
                    session.command(),
                    (now - session.commandSinceMillis()) / 1000,
                    running.isPresent() ? "OK" : "",
                    running.map(statement -> statement.queryId().toString()).orElse(""),
                    running.map(StatementContext::sql).orElse(""),
                    context.services().server().host(),
                    "");
        }
        return rows.rows();
    }
}
