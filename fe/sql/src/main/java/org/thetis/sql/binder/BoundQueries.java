// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.thetis.sql.ast.Query;
import org.thetis.sql.plan.LogicalPlan;

/**
 * Binds queries and remembers those whose tree comes again, with what their binding read of catalog and session ({@link BindingReads}):
 * while all of it reads the same, the bound plan is the same. So a change of a table, a USE or a SET is noticed without anybody
 * telling. Trees are known by identity; whoever parses keeps them. Thread-safe.
 */
public final class BoundQueries {
    /** Weight of all that is kept, in identities of columns; one takes a few hundred bytes with what belongs to it. */
    private static final long MAX_WEIGHT = 200_000;

    /** How many sessions' readings of one tree are kept. */
    private static final int MAX_VARIANTS = 4;

    /** @param numIds identities of columns that the plan uses, the first ones */
    private record Bound(
            LogicalPlan plan, List<BindingReads.Read> reads, List<BindContext.Met> met, int numIds, int sleepSeconds) {
        boolean holds(TableResolver tables, SessionFacts session) {
            for (BindingReads.Read read : reads) {
                if (!read.holds(tables, session)) {
                    return false;
                }
            }
            return true;
        }
    }

    private final Cache<Query, List<Bound>> known = Caffeine.newBuilder()
            .weakKeys()
            .maximumWeight(MAX_WEIGHT)
            .weigher((Query query, List<Bound> variants) ->
                    16 + variants.stream().mapToInt(Bound::numIds).sum())
            .build();
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();

    /** Binds a whole query in a context that nothing was bound in yet. */
    public LogicalPlan bind(Query query, BindContext context) {
        if (!context.parameters().isEmpty()) {
            return new QueryBinder(context).bind(query); // Bound with values that are other ones each time.
        }
        List<Bound> variants = known.getIfPresent(query);
        if (variants == null) {
            // What comes once is not worth keeping. Another thread may have come further meanwhile.
            variants = known.asMap().putIfAbsent(query, List.of());
        }
        if (variants == null) {
            return new QueryBinder(context).bind(query);
        }
        for (Bound bound : variants) {
            if (bound.holds(context.tables(), context.session())) {
                hits.increment();
                context.ids().skip(bound.numIds());
                context.takeOver(bound.met(), bound.sleepSeconds());
                return bound.plan();
            }
        }
        misses.increment();
        BindingReads reads = new BindingReads(context.tables(), context.session());
        BindContext noting =
                new BindContext(reads.tables(), reads.session(), context.functions(), List.of(), context.ids());
        LogicalPlan plan = new QueryBinder(noting).bind(query);
        context.takeOver(noting.met(), noting.sleepSeconds());
        if (reads.mayComeAgain()) {
            remember(
                    query,
                    new Bound(
                            plan,
                            reads.reads(),
                            List.copyOf(noting.met()),
                            context.ids().given(),
                            noting.sleepSeconds()));
        }
        return plan;
    }

    private void remember(Query query, Bound bound) {
        known.asMap().merge(query, List.of(bound), (before, added) -> Stream.concat(added.stream(), before.stream())
                .limit(MAX_VARIANTS)
                .toList());
    }

    /** How many queries were not bound because they were known. */
    public long hits() {
        return hits.sum();
    }

    /** How many queries that came again were bound all the same. */
    public long misses() {
        return misses.sum();
    }
}
