// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.List;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.SortKey;

/** The first rows of an order, after skipping some. */
public record LogicalTopN(List<SortKey> keys, long limit, long offset, Plan child) implements LogicalPlan, UnaryPlan {
    /** Copies the list. */
    public LogicalTopN {
        keys = List.copyOf(keys);
    }

    @Override
    public Plan withChild(Plan other) {
        return new LogicalTopN(keys, limit, offset, other);
    }

    @Override
    public List<Expr> expressions() {
        return keys.stream().map(SortKey::expression).toList();
    }

    @Override
    public String details() {
        return "limit=" + limit + ", offset=" + offset + ", orderKeys=(" + PlanText.keys(keys) + ")";
    }
}
