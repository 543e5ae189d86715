// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.List;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.SlotReference;

/** All rows of all inputs; input columns correspond by place and have the output's types. */
public record LogicalUnion(List<SlotReference> output, List<Plan> children) implements LogicalPlan {
    /** Copies the lists. */
    public LogicalUnion {
        output = List.copyOf(output);
        children = List.copyOf(children);
    }

    @Override
    public Plan withChildren(List<Plan> others) {
        return new LogicalUnion(output, others);
    }

    @Override
    public List<Expr> expressions() {
        return List.of();
    }

    @Override
    public String details() {
        return "qualifier=ALL, outputs=[" + PlanText.list(output) + "]";
    }
}
