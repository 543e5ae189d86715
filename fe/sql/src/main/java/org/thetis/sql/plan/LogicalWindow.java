// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.ArrayList;
import java.util.List;
import org.thetis.sql.expr.Alias;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.SlotReference;

/** Appends one column per window call; all calls share partition and order. */
public record LogicalWindow(List<Alias> calls, Plan child) implements LogicalPlan, UnaryPlan {
    /** Copies the list. */
    public LogicalWindow {
        calls = List.copyOf(calls);
    }

    @Override
    public Plan withChild(Plan other) {
        return new LogicalWindow(calls, other);
    }

    @Override
    public List<SlotReference> output() {
        List<SlotReference> all = new ArrayList<>(child.output());
        calls.forEach(call -> all.add(call.toSlot()));
        return all;
    }

    @Override
    public List<Expr> expressions() {
        return List.copyOf(calls);
    }

    @Override
    public String details() {
        return "windowExpressions=[" + PlanText.list(calls) + "]";
    }
}
