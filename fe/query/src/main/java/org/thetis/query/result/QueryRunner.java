// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.result;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.privilege.AccessChecker;
import org.thetis.catalog.snapshot.CatalogReader;
import org.thetis.query.schedule.PlannerContexts;
import org.thetis.query.schedule.QueryCounters;
import org.thetis.query.schedule.QueryLauncher;
import org.thetis.query.schedule.RowStream;
import org.thetis.query.schedule.StatementPlanner;
import org.thetis.query.session.StatementContext;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.lower.OutputColumn;
import org.thetis.sql.lower.PlannedQuery;
import org.thetis.sql.lower.TableAccess;

/** Plans queries, checks that the user may read what they name, and runs them. Thread-safe. */
public final class QueryRunner {
    private static final String INFORMATION_SCHEMA = "information_schema";

    private final StatementPlanner planner;
    private final PlannerContexts contexts;
    private final QueryLauncher launcher;
    private final CatalogReader catalog;

    public QueryRunner(
            StatementPlanner planner, PlannerContexts contexts, QueryLauncher launcher, CatalogReader catalog) {
        this.planner = planner;
        this.contexts = contexts;
        this.launcher = launcher;
        this.catalog = catalog;
    }

    /** Plans a statement and checks access to the tables it reads. */
    public PlannedQuery plan(Statement statement, StatementContext context) {
        PlannedQuery plan = planner.plan(statement, contexts.create(context));
        checkAccess(plan, context);
        return plan;
    }

    /** Runs a query. Results that need no back end come at once, others stream. */
    public StatementResult run(Statement statement, StatementContext context, QueryCounters counters) {
        PlannedQuery plan = plan(statement, context);
        pause(plan.pause(), context);
        List<ResultColumn> columns = columns(plan);
        if (plan.constantRows().isPresent()) {
            return new StatementResult.Held(columns, texts(plan.constantRows().get()));
        }
        RowStream stream = launcher.query(context, plan, () -> plan(statement, context), counters);
        context.cancellation().onCancel(stream::cancel);
        return new StatementResult.Streamed(columns, stream);
    }

    /** Waits for sleep(), until the statement is cancelled at the latest. */
    private static void pause(Duration length, StatementContext context) {
        if (length.isZero()) {
            return;
        }
        CountDownLatch cancelled = new CountDownLatch(1);
        context.cancellation().onCancel(reason -> cancelled.countDown());
        try {
            cancelled.await(length.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ThetisException(ErrorCode.CANCELLED, "the front end is stopping", interrupted);
        }
        context.cancellation().check();
    }

    /** The columns of a planned query as clients see them. */
    public static List<ResultColumn> columns(PlannedQuery plan) {
        List<ResultColumn> columns = new ArrayList<>();
        for (OutputColumn output : plan.outputs()) {
            columns.add(new ResultColumn(output.name(), output.type(), output.origin()));
        }
        return columns;
    }

    private static List<List<@Nullable String>> texts(List<List<Literal>> rows) {
        List<List<@Nullable String>> texts = new ArrayList<>();
        for (List<Literal> row : rows) {
            List<@Nullable String> values = new ArrayList<>();
            row.forEach(value -> values.add(shown(value)));
            texts.add(values);
        }
        return texts;
    }

    /** Not-a-number has no text in the protocol and is sent as NULL. */
    private static @Nullable String shown(Literal value) {
        return value.value() instanceof Double number && number.isNaN() ? null : value.text();
    }

    private void checkAccess(PlannedQuery plan, StatementContext context) {
        AccessChecker checker = catalog.snapshot().accessChecker();
        for (TableAccess table : plan.tables()) {
            if (!table.database().equalsIgnoreCase(INFORMATION_SCHEMA)) {
                checker.checkTable(context.session().identity(), table.database(), table.table(), Privilege.SELECT);
            }
        }
    }
}
