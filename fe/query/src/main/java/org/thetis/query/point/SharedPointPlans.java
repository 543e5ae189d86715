// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.point;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.SourcePosition;
import org.thetis.base.error.ThetisException;
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
import org.thetis.sql.parser.ParserOptions;
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
    private static final int MAX_VARIANTS = 8;

    /** How often a statement that is no look-up is looked at again: it may become one by a change of its table. */
    private static final int PATIENCE = 64;

    /** @param statement the fingerprint of a text, or the tree of a prepared statement: sql_mode may have changed since it was parsed */
    private static final class Key {
        private final Object statement;
        private final PlanScope scope;
        private final int hash;

        Key(Object statement, PlanScope scope) {
            this.statement = statement;
            this.scope = scope;
            // Once: a tree's is work.
            this.hash = 31 * statement.hashCode() + scope.hashCode();
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key
                    && hash == key.hash
                    && scope.equals(key.scope)
                    && (statement == key.statement || statement.equals(key.statement));
        }
    }

    /** A plan and the literals of the text it is for: null where any value may stand. */
    private record Variant(PointPlan plan, @Nullable List<@Nullable String> literals) {
        boolean matches(NormalizedText text) {
            List<@Nullable String> wanted = literals;
            if (wanted == null || wanted.size() != text.numLiterals()) {
                return false;
            }
            for (int i = 0; i < wanted.size(); i++) {
                String source = wanted.get(i);
                if (source != null && !text.isSource(i, source)) {
                    return false;
                }
            }
            return true;
        }
    }

    /** What a prepared statement keeps: its key, which is work to make from a tree, and what was found under it last. */
    private record Hint(Key key, @Nullable Entry entry) {}

    /** What is known of one statement; variants are replaced as a whole, newest first. */
    private static final class Entry {
        private volatile List<Variant> variants = List.of();
        private final AtomicInteger tries = new AtomicInteger();

        synchronized void add(Variant variant) {
            List<Variant> more = new ArrayList<>();
            more.add(variant);
            for (Variant old : variants) {
                if (more.size() < MAX_VARIANTS) {
                    more.add(old);
                }
            }
            variants = List.copyOf(more);
            tries.set(0);
        }

        synchronized void drop(CatalogSnapshot now, PlanScope scope) {
            variants = variants.stream()
                    .filter(variant -> variant.plan().isCurrent(now, scope))
                    .toList();
        }

        /** Whether planning is worth while this time. */
        boolean isDue() {
            int before = tries.getAndIncrement();
            return before < 2 || before % PATIENCE == 0;
        }
    }

    private final SqlParser parser = new SqlParser();
    private final PointPlanner planner;
    private final PlannerContexts contexts;
    private final CatalogReader catalog;
    private final Cache<Key, Entry> entries;

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
        this.entries = Caffeine.newBuilder().maximumSize(capacity).build();
        this.planned = metrics.counter("point_plan_total", "Look-up plans made.");
        this.refused = metrics.counter("point_plan_refused_total", "Queries examined that are no key look-ups.");
    }

    @Override
    public @Nullable PointPlan ofPrepared(Session session, PreparedStatement statement, CatalogSnapshot now) {
        PlanScope scope = session.planScope();
        Hint hint = statement.planHint() instanceof Hint kept && kept.key.scope.equals(scope) ? kept : null;
        PointPlan plan = hint == null ? null : current(hint.entry, now, scope);
        if (plan != null || !(statement.statement() instanceof QueryStatement query)) {
            return plan;
        }
        // Another session may have taught it: thousands that connect at once shall not all plan.
        Key key = hint == null ? new Key(query, scope) : hint.key;
        Entry entry = entries.getIfPresent(key);
        if (hint == null || hint.entry != entry) {
            statement.rememberPlan(new Hint(key, entry));
        }
        return current(entry, now, scope);
    }

    private static @Nullable PointPlan current(@Nullable Entry entry, CatalogSnapshot now, PlanScope scope) {
        if (entry == null) {
            return null;
        }
        for (Variant variant : entry.variants) {
            if (variant.plan().isCurrent(now, scope)) {
                return variant.plan();
            }
        }
        return null;
    }

    @Override
    public @Nullable TextMatch ofText(Session session, String sql, CatalogSnapshot now) {
        NormalizedText text = normalized(session, sql);
        if (text == null) {
            return null;
        }
        PlanScope scope = session.planScope();
        Entry entry = entries.getIfPresent(new Key(text.fingerprint(), scope));
        if (entry == null) {
            return null;
        }
        for (Variant variant : entry.variants) {
            if (variant.matches(text) && variant.plan().isCurrent(now, scope)) {
                return match(variant, text);
            }
        }
        return null;
    }

    private static @Nullable TextMatch match(Variant variant, NormalizedText text) {
        List<@Nullable String> fixed = variant.literals();
        Literal[] values = new Literal[text.numLiterals()];
        for (int i = 0; i < values.length; i++) {
            boolean isOpen = fixed != null && fixed.get(i) == null;
            Literal value = isOpen ? text.value(i) : Literal.untypedNull();
            if (value == null) {
                return null;
            }
            values[i] = value;
        }
        return new TextMatch(variant.plan(), Arrays.asList(values));
    }

    private static @Nullable NormalizedText normalized(Session session, String sql) {
        if (sql.length() > NormalizedText.MAX_LENGTH) {
            return null;
        }
        return NormalizedText.of(sql, !parserOptions(session).noBackslashEscapes());
    }

    private static ParserOptions parserOptions(Session session) {
        String modes = session.variables().frequent().sqlMode();
        return modes.isEmpty()
                ? ParserOptions.DEFAULT
                : new ParserOptions(modes.contains("PIPES_AS_CONCAT"), modes.contains("NO_BACKSLASH_ESCAPES"));
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
        NormalizedText text = normalized(context.session(), context.sql());
        if (text == null) {
            return;
        }
        Entry entry = entries.get(new Key(text.fingerprint(), scope), key -> new Entry());
        if (entry.variants.stream()
                .anyMatch(variant -> variant.matches(text) && variant.plan().isCurrent(now, scope))) {
            return;
        }
        QueryStatement query = entry.isDue() ? readAnew(context) : null;
        if (query == null) {
            return;
        }
        Map<Long, Integer> places = places(context.sql(), text);
        LiteralPlaces literals = (position, value) -> {
            Integer ordinal = places.get(place(position));
            return ordinal == null || !value.equals(text.value(ordinal)) ? -1 : ordinal;
        };
        PointDecision decision = counted(decide(query, context, now, text.numLiterals(), literals));
        PointPlan plan = decision.plan();
        if (plan != null) {
            List<@Nullable String> fixed = new ArrayList<>();
            for (int i = 0; i < text.numLiterals(); i++) {
                fixed.add(decision.open().contains(i) ? null : text.source(i));
            }
            entry.drop(now, scope);
            entry.add(new Variant(plan, fixed));
        }
    }

    private void learnPrepared(
            QueryStatement statement, StatementContext context, CatalogSnapshot now, PlanScope scope) {
        Entry entry = entries.get(new Key(statement, scope), key -> new Entry());
        List<Literal> parameters = context.parameters();
        if (entry.variants.stream()
                .anyMatch(variant ->
                        variant.plan().isCurrent(now, scope) && variant.plan().accepts(parameters))) {
            return;
        }
        if (!entry.isDue()) {
            return;
        }
        PointDecision decision = counted(decide(statement, context, now, parameters.size(), PointPlanner.noLiterals()));
        if (decision.plan() != null) {
            entry.drop(now, scope);
            entry.add(new Variant(decision.plan(), null));
        }
    }

    /**
     * The statement as its text alone reads under the present mode: places are counted from the beginning of that text, and in a
     * packet of several statements one may have changed the mode since all were read.
     */
    private @Nullable QueryStatement readAnew(StatementContext context) {
        try {
            Statement read = parser.parseOne(context.sql(), parserOptions(context.session()))
                    .statement();
            return read instanceof QueryStatement query ? query : null;
        } catch (ThetisException otherMode) {
            return null;
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

    /** Ordinals of literals by the line and column they begin at. */
    private static Map<Long, Integer> places(String sql, NormalizedText text) {
        Map<Long, Integer> places = new HashMap<>();
        int line = 1;
        int lineBegin = 0;
        int literal = 0;
        for (int i = 0; i < sql.length() && literal < text.numLiterals(); i++) {
            if (i == text.begin(literal)) {
                places.put(place(line, i - lineBegin), literal++);
            }
            if (sql.charAt(i) == '\n') {
                line++;
                lineBegin = i + 1;
            }
        }
        return places;
    }

    private static long place(SourcePosition position) {
        return place(position.line(), position.column());
    }

    private static long place(int line, int column) {
        return (long) line << Integer.SIZE | column;
    }
}
