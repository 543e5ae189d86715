// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.ArrayList;
import java.util.List;
import org.thetis.sql.expr.AggregateCall;
import org.thetis.sql.expr.Alias;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.expr.SlotReference;

/** Groups rows and aggregates. Output: keys, then calls (each an alias of one AggregateCall). No key: exactly one row. */
public record LogicalAggregate(List<NamedExpr> keys, List<Alias> calls, Plan child) implements LogicalPlan, UnaryPlan {
    /** Copies the lists. */
    public LogicalAggregate {
        keys = List.copyOf(keys);
        calls = List.copyOf(calls);
    }

    @Override
    public Plan withChild(Plan other) {
        return new LogicalAggregate(keys, calls, other);
    }

    /** The aggregate function of a call. */
    public static AggregateCall function(Alias call) {
        return (AggregateCall) call.child();
    }

    @Override
    public List<SlotReference> output() {
        List<SlotReference> all = new ArrayList<>();
        keys.forEach(key -> all.add(key.toSlot()));
        calls.forEach(call -> all.add(call.toSlot()));
        return all;
    }

    @Override
    public List<Expr> expressions() {
        List<Expr> all = new ArrayList<>(keys);
        all.addAll(calls);
        return all;
    }

    @Override
    public String details() {
        return "groupByExpr=[" + PlanText.list(keys) + "], outputExpr=[" + PlanText.list(calls) + "]";
    }
}
