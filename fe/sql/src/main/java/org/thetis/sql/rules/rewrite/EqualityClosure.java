// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.rewrite;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.ExprId;
import org.thetis.sql.expr.InList;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.ScalarCall;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.functions.Calls;
import org.thetis.sql.plan.JoinKind;
import org.thetis.sql.plan.LogicalJoin;
import org.thetis.sql.rules.Substitution;

/** Conditions that follow from equal columns: with a = b, what a constant says of a it says of b. */
final class EqualityClosure {
    private EqualityClosure() {}

    /** The conditions of a filter over a join, and what follows from them with the join's equalities. */
    static List<Expr> extend(List<Expr> conditions, LogicalJoin join) {
        if (join.kind() != JoinKind.INNER && join.kind() != JoinKind.LEFT_SEMI) {
            return conditions;
        }
        List<Expr> all = new ArrayList<>(conditions);
        all.addAll(join.conditions());
        return extend(conditions, all);
    }

    /** The conditions, and what follows from them with the equalities among all. */
    static List<Expr> extend(List<Expr> conditions, List<Expr> all) {
        Map<ExprId, Set<SlotReference>> classes = new HashMap<>();
        for (Expr condition : all) {
            if (Calls.is(condition, "eq")
                    && condition.children().get(0) instanceof SlotReference a
                    && condition.children().get(1) instanceof SlotReference b
                    && a.type().equals(b.type())) {
                Set<SlotReference> merged = new HashSet<>(classes.getOrDefault(a.id(), Set.of(a)));
                merged.addAll(classes.getOrDefault(b.id(), Set.of(b)));
                merged.forEach(slot -> classes.put(slot.id(), merged));
            }
        }
        if (classes.isEmpty()) {
            return conditions;
        }
        Set<Expr> result = new LinkedHashSet<>(conditions);
        for (Expr condition : conditions) {
            SlotReference tested = constantTest(condition);
            if (tested != null && classes.containsKey(tested.id())) {
                for (SlotReference other : classes.getOrDefault(tested.id(), Set.of())) {
                    result.add(Substitution.inline(condition, Map.of(tested.id(), other)));
                }
            }
        }
        return List.copyOf(result);
    }

    /** The one column that a condition compares with constants, or null. */
    private static @org.jspecify.annotations.Nullable SlotReference constantTest(Expr condition) {
        if (condition instanceof InList in && in.value() instanceof SlotReference slot) {
            return slot;
        }
        if (Calls.isComparison(condition) && condition instanceof ScalarCall call) {
            if (call.child(0) instanceof SlotReference slot && call.child(1) instanceof Literal) {
                return slot;
            }
            if (call.child(1) instanceof SlotReference slot && call.child(0) instanceof Literal) {
                return slot;
            }
        }
        return null;
    }
}
