// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.point;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.base.metrics.Counter;
import org.thetis.base.metrics.MetricRegistry;
import org.thetis.catalog.snapshot.CatalogReader;
import org.thetis.catalog.snapshot.CatalogSnapshot;
import org.thetis.query.schedule.PlannerContexts;
import org.thetis.query.schedule.QueryLauncher;
import org.thetis.query.session.PreparedStatement;
import org.thetis.query.session.Session;
import org.thetis.query.session.StatementContext;
import org.thetis.sql.ast.QueryStatement;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.parser.SqlParser;
import org.thetis.sql.point.LiteralPlaces;
import org.thetis.sql.point.PlanScope;
import org.thetis.sql.point.PointDecision;
import org.thetis.sql.point.PointPlan;
import org.thetis.sql.point.PointPlanner;

/**
 * The look-up plans of all sessions. The ordinary path of a statement teaches it plans, event loops only ask. Statements of one
 * text under one {@link PlanScope} share plans, so that back ends keep few of them. Thread-safe.
 */
public final class SharedPointPlans implements PointPlans {
    /** What a prepared statement keeps: its key, which is work to make from a tree, and what was found under it last. */
    private record Hint(PlanShelf.Key key, PlanShelf.@Nullable Entry entry) {}

    private final SqlParser parser = new SqlParser();
    private final PointPlanner planner;
    private final PlannerContexts contexts;
    private final CatalogReader catalog;
    private final PlanShelf shelf;

    private final Counter planned;
    private final Counter refused;

    /** @param capacity how many statements are remembered */
    public SharedPointPlans(
            PointPlanner planner,
            PlannerContexts contexts,
            CatalogReader catalog,
            long capacity,
            MetricRegistry metrics) {
        this.planner = planner;
        this.contexts = contexts;
        this.catalog = catalog;
        this.shelf = new PlanShelf(capacity);
        this.planned = metrics.counter("point_plan_total", "Look-up plans made.");
        this.refused = metrics.counter("point_plan_refused_total", "Queries examined that are no key look-ups.");
    }

    @Override
    public @Nullable PointPlan ofPrepared(Session session, PreparedStatement statement, CatalogSnapshot now) {
        PlanScope scope = session.planScope();
        Hint hint =
                statement.planHint() instanceof Hint kept && kept.key.scope().equals(scope) ? kept : null;
        PointPlan plan = hint == null || hint.entry == null ? null : hint.entry.current(now, scope);
        if (plan != null || !(statement.statement() instanceof QueryStatement query)) {
            return plan;
        }
        // Another session may have taught it: thousands that connect at once shall not all plan.
        PlanShelf.Key key = hint == null ? PlanShelf.Key.ofPrepared(query, scope) : hint.key;
        PlanShelf.Entry entry = shelf.find(key);
        if (hint == null || hint.entry != entry) {
            statement.rememberPlan(new Hint(key, entry));
        }
        return entry == null ? null : entry.current(now, scope);
    }

    @Override
    public @Nullable TextMatch ofText(Session session, String sql, CatalogSnapshot now) {
        NormalizedText text =
                NormalizedText.of(sql, session.variables().frequent().parserOptions());
        if (text == null) {
            return null;
        }
        PlanScope scope = session.planScope();
        PlanShelf.Entry entry = shelf.find(PlanShelf.Key.ofText(text, scope));
        return entry == null ? null : entry.match(now, scope, text);
    }

    /**
     * Makes the plan that the next execution of a query will find, if it is a look-up and there is none. The query itself is to be
     * run as ever.
     */
    public void learn(QueryStatement statement, StatementContext context) {
        CatalogSnapshot now = catalog.snapshot();
        PlanScope scope = context.session().planScope();
        if (context.binaryRows()) {
            learnPrepared(statement, context, now, scope);
            return;
        }
        NormalizedText text = NormalizedText.of(
                context.sql(), context.session().variables().frequent().parserOptions());
        if (text == null) {
            return;
        }
        PlanShelf.Entry entry = shelf.get(PlanShelf.Key.ofText(text, scope));
        if (entry.knows(now, scope, text) || !entry.isDue()) {
            return;
        }
        Statement query = TextLiterals.readAnew(parser, context);
        if (!(query instanceof QueryStatement)) {
            return;
        }
        PointDecision decision =
                counted(decide(query, context, now, text.numLiterals(), TextLiterals.places(context.sql(), text)));
        if (decision.plan() != null) {
            entry.add(decision.plan(), TextLiterals.fixed(text, decision.open(), 0), now, scope);
        }
    }

    private void learnPrepared(
            QueryStatement statement, StatementContext context, CatalogSnapshot now, PlanScope scope) {
        PlanShelf.Entry entry = shelf.get(PlanShelf.Key.ofPrepared(statement, scope));
        List<Literal> parameters = context.parameters();
        if (entry.current(now, scope, parameters) != null || !entry.isDue()) {
            return;
        }
        PointDecision decision = counted(decide(statement, context, now, parameters.size(), PointPlanner.noLiterals()));
        if (decision.plan() != null) {
            entry.add(decision.plan(), null, now, scope);
        }
    }

    private PointDecision counted(PointDecision decision) {
        (decision.plan() == null ? refused : planned).increment();
        return decision;
    }

    private PointDecision decide(
            Statement statement,
            StatementContext context,
            CatalogSnapshot now,
            int numParameters,
            LiteralPlaces literals) {
        return planner.decide(
                new PointPlanner.Request(
                        statement,
                        now,
                        context.session().planScope(),
                        QueryLauncher.options(context, context.settings().queryTimeout() * 1000L),
                        numParameters,
                        literals),
                contexts.create(context));
    }

    /**
     * What EXPLAIN says of a query, UPDATE or DELETE: SHORT-CIRCUIT, or why not if it asks for rows by key; null when there is nothing
     * to say.
     */
    public @Nullable String explain(Statement statement, StatementContext context) {
        CatalogSnapshot now = catalog.snapshot();
        PointDecision decision =
                decide(statement, context, now, context.parameters().size(), PointPlanner.noLiterals());
        if (decision.plan() != null) {
            String refusal = PointPlanner.refusal(decision.plan(), now, context.parameters());
            return refusal == null ? "SHORT-CIRCUIT" : "SHORT-CIRCUIT: no: " + refusal;
        }
        return decision.namesKeys() ? "SHORT-CIRCUIT: no: " + decision.reason() : null;
    }
}
