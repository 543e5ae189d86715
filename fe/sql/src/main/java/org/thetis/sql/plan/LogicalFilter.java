// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.List;
import org.thetis.sql.expr.Expr;

/** Keeps the rows for which every condition is true. */
public record LogicalFilter(List<Expr> conditions, Plan child) implements LogicalPlan, UnaryPlan {
    /** Copies the list. */
    public LogicalFilter {
        conditions = List.copyOf(conditions);
    }

    @Override
    public Plan withChild(Plan other) {
        return new LogicalFilter(conditions, other);
    }

    @Override
    public List<Expr> expressions() {
        return conditions;
    }

    @Override
    public String details() {
        return "predicates=(" + PlanText.conjunction(conditions) + ")";
    }
}
