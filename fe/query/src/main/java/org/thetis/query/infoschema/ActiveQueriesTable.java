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

/** Statements that run now. */
public final class ActiveQueriesTable implements SchemaTable {
    private static final List<ResolvedTable.Column> COLUMNS = SchemaRows.columns(
            "QUERY_ID",
            "QUERY_START_TIME datetime",
            "QUERY_TIME_MS bigint",
            "WORKLOAD_GROUP_ID bigint",
            "DATABASE",
            "FRONTEND_INSTANCE",
            "QUEUE_START_TIME",
            "QUEUE_END_TIME",
            "QUERY_STATUS",
            "SQL varchar(65533)");

    @Override
    public String name() {
        return "active_queries";
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
            Optional<StatementContext> running = session.running();
            if (running.isPresent() && (all || session.identity().equals(own.identity()))) {
                StatementContext statement = running.get();
                rows.add(
                        statement.queryId().toString(),
                        SchemaRows.time(statement.startMillis(), zone),
                        now - statement.startMillis(),
                        null,
                        session.database().orElse(""),
                        context.services().server().host(),
                        null,
                        null,
                        "RUNNING",
                        statement.sql());
            }
        }
        return rows.rows();
    }
}
