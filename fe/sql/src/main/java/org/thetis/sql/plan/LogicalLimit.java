// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.List;
import org.thetis.sql.expr.Expr;

/** At most so many rows, after skipping some. A limit of -1 is none. */
public record LogicalLimit(long limit, long offset, Plan child) implements LogicalPlan, UnaryPlan {
    @Override
    public Plan withChild(Plan other) {
        return new LogicalLimit(limit, offset, other);
    }

    @Override
    public List<Expr> expressions() {
        return List.of();
    }

    @Override
    public String details() {
        return "limit=" + limit + ", offset=" + offset;
    }
}
