// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.point;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.thetis.base.metrics.Counter;
import org.thetis.base.metrics.MetricRegistry;
import org.thetis.catalog.snapshot.CatalogReader;
import org.thetis.catalog.snapshot.CatalogSnapshot;
import org.thetis.query.schedule.PlannerContexts;
import org.thetis.query.schedule.QueryLauncher;
import org.thetis.query.session.StatementContext;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.binder.ReadRows;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.lower.OutputColumn;
import org.thetis.sql.lower.PlannedQuery;
import org.thetis.sql.lower.Planner;
import org.thetis.sql.parser.SqlParser;
import org.thetis.sql.point.LiteralPlaces;
import org.thetis.sql.point.PlanScope;
import org.thetis.sql.point.PointCall;
import org.thetis.sql.point.PointDecision;
import org.thetis.sql.point.PointPlan;
import org.thetis.sql.point.PointPlanner;

/**
 * UPDATE and DELETE whose condition names whole keys: their rows are looked up, and what is written is planned over the values
 * found, without a scan. The look-up's plan is kept and shared as those of queries are; what is set is bound anew each time.
 * Thread-safe.
 */
public final class KeyedChanges {
    /** A statement whose rows are looked up, and the values of its parameters or literals. */
    public record Keyed(PointPlan plan, List<Literal> values) {}

    /**
     * The rows that a statement changes.
     *
     * @param write what writes them, also when there are none
     */
    public record Change(int numRows, PlannedQuery write) {}

    private final SqlParser parser = new SqlParser();
    private final PointPlanner points;
    private final Planner planner;
    private final PlannerContexts contexts;
    private final CatalogReader catalog;
    private final PointReads reads;
    private final PlanShelf shelf;
    private final Counter planned;
    private final Counter changes;

    /** @param capacity how many statements are remembered */
    public KeyedChanges(
            Planner planner,
            PlannerContexts contexts,
            CatalogReader catalog,
            PointReads reads,
            long capacity,
            MetricRegistry metrics) {
        this.points = new PointPlanner(planner);
        this.planner = planner;
        this.contexts = contexts;
        this.catalog = catalog;
        this.reads = reads;
        this.shelf = new PlanShelf(capacity);
        this.planned = metrics.counter("point_change_plan_total", "Look-up plans made for UPDATE and DELETE by key.");
        this.changes =
                metrics.counter("point_change_total", "UPDATE and DELETE statements whose rows were looked up by key.");
    }

    /** How the rows of this statement are looked up; null when they are not. */
    public @Nullable Keyed find(Statement statement, StatementContext context) {
        CatalogSnapshot now = catalog.snapshot();
        PlanScope scope = context.session().planScope();
        return context.binaryRows() ? prepared(statement, context, now, scope) : text(context, now, scope);
    }

    /**
     * Looks the rows up as they are visible now and plans what changes them; null when only a full plan can: something of the table
     * changed since {@link #find}, there are too many rows, or a value is one that this front end cannot hold.
     */
    public @Nullable Change read(Keyed keyed, Statement statement, StatementContext context, Duration longest) {
        CatalogSnapshot now = catalog.snapshot();
        PointPlan plan = keyed.plan();
        PointCall call = plan.isCurrent(now, context.session().planScope()) ? plan.bind(now, keyed.values()) : null;
        List<List<Literal>> rows = call == null ? null : reads.read(plan, call, context.cancellation(), longest);
        if (rows == null) {
            return null;
        }
        ReadRows read =
                new ReadRows(plan.outputs().stream().map(OutputColumn::name).toList(), rows);
        Optional<PlannedQuery> write = planner.planRead(statement, read, contexts.create(context));
        if (write.isEmpty()) {
            return null;
        }
        changes.increment();
        return new Change(rows.size(), write.get());
    }

    private @Nullable Keyed prepared(
            Statement statement, StatementContext context, CatalogSnapshot now, PlanScope scope) {
        PlanShelf.Entry entry = shelf.get(PlanShelf.Key.ofPrepared(statement, scope));
        List<Literal> parameters = context.parameters();
        PointPlan known = entry.current(now, scope, parameters);
        if (known == null && entry.isDue()) {
            known = decide(statement, context, now, scope, parameters.size(), PointPlanner.noLiterals())
                    .plan();
            if (known != null) {
                planned.increment();
                entry.add(known, null, now, scope);
            }
        }
        return known == null ? null : new Keyed(known, parameters);
    }

    private @Nullable Keyed text(StatementContext context, CatalogSnapshot now, PlanScope scope) {
        NormalizedText text = NormalizedText.ofChange(
                context.sql(), context.session().variables().frequent().parserOptions());
        if (text == null) {
            return null;
        }
        PlanShelf.Entry entry = shelf.get(PlanShelf.Key.ofText(text, scope));
        if (!entry.knows(now, scope, text)) {
            Statement read = entry.isDue() ? TextLiterals.readAnew(parser, context) : null;
            if (read == null) {
                return null;
            }
            PointDecision decision =
                    decide(read, context, now, scope, text.numLiterals(), TextLiterals.places(context.sql(), text));
            if (decision.plan() == null) {
                return null;
            }
            planned.increment();
            entry.add(decision.plan(), TextLiterals.fixed(text, decision.open(), text.conditionBegin()), now, scope);
        }
        PointPlans.TextMatch match = entry.match(now, scope, text);
        return match == null ? null : new Keyed(match.plan(), match.parameters());
    }

    private PointDecision decide(
            Statement statement,
            StatementContext context,
            CatalogSnapshot now,
            PlanScope scope,
            int numParameters,
            LiteralPlaces literals) {
        return points.decide(
                new PointPlanner.Request(
                        statement,
                        now,
                        scope,
                        QueryLauncher.options(context, context.settings().queryTimeout() * 1000L),
                        numParameters,
                        literals),
                contexts.create(context));
    }
}
