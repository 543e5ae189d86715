// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.List;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.SortKey;

/** Orders all rows. */
public record LogicalSort(List<SortKey> keys, Plan child) implements LogicalPlan, UnaryPlan {
    /** Copies the list. */
    public LogicalSort {
        keys = List.copyOf(keys);
    }

    @Override
    public Plan withChild(Plan other) {
        return new LogicalSort(keys, other);
    }

    @Override
    public List<Expr> expressions() {
        return keys.stream().map(SortKey::expression).toList();
    }

    @Override
    public String details() {
        return "orderKeys=(" + PlanText.keys(keys) + ")";
    }
}
