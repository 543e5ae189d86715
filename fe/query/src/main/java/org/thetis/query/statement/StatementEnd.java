// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement;

import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.thetis.base.error.ThetisException;
import org.thetis.base.thread.Clock;
import org.thetis.query.schedule.QueryCounters;
import org.thetis.query.session.SqlWarning;
import org.thetis.query.session.StatementContext;
import org.thetis.sql.ast.QueryStatement;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.ast.show.ShowCompatibility;
import org.thetis.sql.ast.show.ShowCompatibilityKind;

/** What happens once when a statement is over, however it ends: its timer stops, its session is free, its audit line is written. */
final class StatementEnd {
    private final StatementContext context;
    private final QueryCounters counters;
    private final AuditSink audit;
    private final Clock clock;
    private final boolean isQuery;
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicReference<Future<?>> timer = new AtomicReference<>();

    StatementEnd(StatementContext context, QueryCounters counters, AuditSink audit, Clock clock, Statement statement) {
        this.context = context;
        this.counters = counters;
        this.audit = audit;
        this.clock = clock;
        this.isQuery = statement instanceof QueryStatement;
    }

    /** SHOW WARNINGS and SHOW ERRORS tell of the statement before them. */
    static boolean resetsWarnings(Statement statement) {
        return !(statement instanceof ShowCompatibility show
                && (show.kind() == ShowCompatibilityKind.WARNINGS || show.kind() == ShowCompatibilityKind.ERRORS));
    }

    void watch(Future<?> deadline) {
        timer.set(deadline);
    }

    void succeeded() {
        finish(isQuery ? "EOF" : "OK", 0, "");
    }

    void failed(ThetisException failure) {
        context.session().addWarning(SqlWarning.error(failure));
        finish("ERR", failure.code().mysqlCode(), failure.text());
    }

    StatementContext context() {
        return context;
    }

    private void finish(String state, int code, String message) {
        if (!over.compareAndSet(false, true)) {
            return;
        }
        Future<?> deadline = timer.get();
        if (deadline != null) {
            deadline.cancel(false);
        }
        long now = clock.millis();
        context.session().end(now);
        audit.write(new AuditEvent(
                context,
                isQuery,
                state,
                code,
                message,
                now - context.startMillis(),
                counters.returnedRows(),
                counters));
    }
}
