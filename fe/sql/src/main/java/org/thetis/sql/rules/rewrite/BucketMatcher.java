// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.rewrite;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.schema.Distribution;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.Tablet;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.InList;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.ScalarCall;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.functions.Calls;
import org.thetis.sql.functions.Coercion;
import org.thetis.sql.plan.BucketHash;
import org.thetis.sql.plan.LogicalScan;

/** Finds the buckets that rows can be in when every distribution column is bound to a few constants. */
final class BucketMatcher {
    private static final int MAX_COMBINATIONS = 1_000;

    private BucketMatcher() {}

    /** Tablets of the partitions that may hold matching rows, or null for all. */
    static @Nullable Set<Long> tablets(LogicalScan scan, List<Partition> partitions, List<Expr> conditions) {
        Map<String, List<Literal>> bound = constants(conditions);
        Set<Long> tablets = new HashSet<>();
        boolean narrowed = false;
        for (Partition partition : partitions) {
            List<List<Literal>> keys = keys(scan, partition.distribution(), bound);
            if (keys == null) {
                partition.tablets().forEach(tablet -> tablets.add(tablet.id()));
                continue;
            }
            narrowed = true;
            List<Tablet> all = partition.tablets();
            keys.forEach(key ->
                    tablets.add(all.get(BucketHash.bucket(key, all.size())).id()));
        }
        return narrowed ? tablets : null;
    }

    private static @Nullable List<List<Literal>> keys(
            LogicalScan scan, Distribution distribution, Map<String, List<Literal>> bound) {
        if (distribution.kind() != Distribution.Kind.HASH) {
            return null;
        }
        List<List<Literal>> keys = new ArrayList<>(List.of(List.of()));
        for (String column : distribution.columns()) {
            List<Literal> values = bound.get(column.toLowerCase(Locale.ROOT));
            if (values == null || (long) values.size() * keys.size() > MAX_COMBINATIONS) {
                return null;
            }
            var type = scan.table().table().getColumn(column).type();
            List<List<Literal>> longer = new ArrayList<>();
            for (List<Literal> prefix : keys) {
                for (Literal value : values) {
                    if (!(Coercion.to(value, type) instanceof Literal exact)) {
                        return null;
                    }
                    List<Literal> key = new ArrayList<>(prefix);
                    key.add(exact);
                    longer.add(key);
                }
            }
            keys = longer;
        }
        return keys;
    }

    /** Constants that each column must be one of. */
    private static Map<String, List<Literal>> constants(List<Expr> conditions) {
        Map<String, List<Literal>> bound = new HashMap<>();
        for (Expr condition : conditions) {
            if (condition instanceof InList in && !in.negated()) {
                bind(bound, in.value(), in.options());
            } else if ((Calls.is(condition, "eq") || Calls.is(condition, "eq_for_null"))
                    && condition instanceof ScalarCall call) {
                bind(bound, call.child(0), List.of(call.child(1)));
                bind(bound, call.child(1), List.of(call.child(0)));
            } else if (Calls.is(condition, "is_null") && condition.children().get(0) instanceof SlotReference slot) {
                bind(bound, slot, List.of(Literal.nullOf(slot.type())));
            }
        }
        return bound;
    }

    private static void bind(Map<String, List<Literal>> bound, Expr column, List<Expr> values) {
        if (column instanceof SlotReference slot
                && slot.origin() != null
                && values.stream().allMatch(Literal.class::isInstance)) {
            String name = slot.origin().column().toLowerCase(Locale.ROOT);
            List<Literal> literals = values.stream().map(Literal.class::cast).toList();
            List<Literal> before = bound.get(name);
            if (before == null || before.size() > literals.size()) {
                bound.put(name, literals);
            }
        }
    }
}
