// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.point;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.snapshot.CatalogSnapshot;
import org.thetis.query.point.PointPlans.TextMatch;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.point.PlanScope;
import org.thetis.sql.point.PointPlan;

/** Look-up plans by the statements they are for, each with the values it was made with. Bounded; thread-safe, and never blocks. */
final class PlanShelf {
    private static final int MAX_VARIANTS = 8;

    /** How often a statement that is no look-up is looked at again: it may become one by a change of its table. */
    private static final int PATIENCE = 64;

    /** What a statement is found by. Making one hashes the statement, once. */
    static final class Key {
        private final Object statement;
        private final PlanScope scope;
        private final int hash;

        private Key(Object statement, PlanScope scope) {
            this.statement = statement;
            this.scope = scope;
            this.hash = 31 * statement.hashCode() + scope.hashCode();
        }

        /** The key of a prepared statement: its tree and not its text, since sql_mode may have changed since that was parsed. */
        static Key ofPrepared(Statement statement, PlanScope scope) {
            return new Key(statement, scope);
        }

        /** The key that texts of one fingerprint share. */
        static Key ofText(NormalizedText text, PlanScope scope) {
            return new Key(text.fingerprint(), scope);
        }

        PlanScope scope() {
            return scope;
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

        @Nullable
        TextMatch match(NormalizedText text) {
            List<@Nullable String> fixed = literals;
            Literal[] values = new Literal[text.numLiterals()];
            for (int i = 0; i < values.length; i++) {
                boolean isOpen = fixed != null && fixed.get(i) == null;
                Literal value = isOpen ? text.value(i) : Literal.untypedNull();
                if (value == null) {
                    return null;
                }
                values[i] = value;
            }
            return new TextMatch(plan, Arrays.asList(values));
        }
    }

    /** What is known of one statement; variants are replaced as a whole, newest first. */
    static final class Entry {
        private volatile List<Variant> variants = List.of();
        private final AtomicInteger tries = new AtomicInteger();

        /** Takes a plan in place of those that do not hold any more. */
        synchronized void add(
                PointPlan plan, @Nullable List<@Nullable String> literals, CatalogSnapshot now, PlanScope scope) {
            List<Variant> more = new ArrayList<>();
            more.add(new Variant(plan, literals));
            for (Variant old : variants) {
                if (more.size() < MAX_VARIANTS && old.plan().isCurrent(now, scope)) {
                    more.add(old);
                }
            }
            variants = List.copyOf(more);
            tries.set(0);
        }

        /** Whether planning is worth while this time. */
        boolean isDue() {
            int before = tries.getAndIncrement();
            return before < 2 || before % PATIENCE == 0;
        }

        /** Any plan that holds now. */
        @Nullable
        PointPlan current(CatalogSnapshot now, PlanScope scope) {
            for (Variant variant : variants) {
                if (variant.plan().isCurrent(now, scope)) {
                    return variant.plan();
                }
            }
            return null;
        }

        /** A plan that holds now and is for these values. */
        @Nullable
        PointPlan current(CatalogSnapshot now, PlanScope scope, List<Literal> parameters) {
            for (Variant variant : variants) {
                if (variant.plan().isCurrent(now, scope) && variant.plan().accepts(parameters)) {
                    return variant.plan();
                }
            }
            return null;
        }

        /** Whether there is a plan that holds now and is for this text. */
        boolean knows(CatalogSnapshot now, PlanScope scope, NormalizedText text) {
            return find(now, scope, text) != null;
        }

        /** A plan that holds now and is for this text, with the text's values; null also when a value is left to the parser. */
        @Nullable
        TextMatch match(CatalogSnapshot now, PlanScope scope, NormalizedText text) {
            Variant found = find(now, scope, text);
            return found == null ? null : found.match(text);
        }

        private @Nullable Variant find(CatalogSnapshot now, PlanScope scope, NormalizedText text) {
            for (Variant variant : variants) {
                if (variant.matches(text) && variant.plan().isCurrent(now, scope)) {
                    return variant;
                }
            }
            return null;
        }
    }

    private final Cache<Key, Entry> entries;

    /** @param capacity how many statements are remembered */
    PlanShelf(long capacity) {
        this.entries = Caffeine.newBuilder().maximumSize(capacity).build();
    }

    /** What is known of a statement; null when nothing is. */
    @Nullable
    Entry find(Key key) {
        return entries.getIfPresent(key);
    }

    /** What is known of a statement, to be added to. */
    Entry get(Key key) {
        return entries.get(key, unknown -> new Entry());
    }
}
