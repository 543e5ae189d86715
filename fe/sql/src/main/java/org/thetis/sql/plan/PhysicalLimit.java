// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.List;
import org.thetis.sql.expr.Expr;

/** At most so many rows of each back end. */
public record PhysicalLimit(long limit, long offset, Plan child, double rows) implements PhysicalPlan, UnaryPlan {
    @Override
    public Plan withChild(Plan other) {
        return new PhysicalLimit(limit, offset, other, rows);
    }

    @Override
    public List<Expr> expressions() {
        return List.of();
    }

    @Override
    public Distribution distribution() {
        return input(0).distribution();
    }

    @Override
    public String explainName() {
        return "VLIMIT";
    }

    @Override
    public List<String> explainLines() {
        return List.of("offset: " + offset, "limit: " + limit);
    }
}
