// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.List;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.expr.SlotReference;

/** Computes columns row by row. */
public record LogicalProject(List<NamedExpr> items, Plan child) implements LogicalPlan, UnaryPlan {
    /** Copies the list. */
    public LogicalProject {
        items = List.copyOf(items);
    }

    @Override
    public Plan withChild(Plan other) {
        return new LogicalProject(items, other);
    }

    @Override
    public List<SlotReference> output() {
        return items.stream().map(NamedExpr::toSlot).toList();
    }

    @Override
    public List<Expr> expressions() {
        return List.copyOf(items);
    }

    @Override
    public String details() {
        return "projects=[" + PlanText.list(items) + "]";
    }
}
