// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.ArrayList;
import java.util.List;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.SlotReference;

/** Compares every row of the left input with every row of the right. */
public record PhysicalNestedLoopJoin(
        JoinKind kind, List<Expr> conditions, Distribution distribution, Plan left, Plan right, double rows)
        implements PhysicalPlan {
    @Override
    public List<Plan> children() {
        return List.of(left, right);
    }

    @Override
    public Plan withChildren(List<Plan> children) {
        return new PhysicalNestedLoopJoin(kind, conditions, distribution, children.get(0), children.get(1), rows);
    }

    @Override
    public List<SlotReference> output() {
        return LogicalJoin.joinOutput(kind, left.output(), right.output());
    }

    @Override
    public List<Expr> expressions() {
        return conditions;
    }

    @Override
    public String explainName() {
        return "VNESTED LOOP JOIN";
    }

    @Override
    public String shape() {
        return "NestedLoopJoin[" + (isCross() ? "CROSS_JOIN" : kind + "_JOIN") + "](" + PlanText.conjunction(conditions)
                + ")";
    }

    /** Whether this is a plain product. */
    public boolean isCross() {
        return kind == JoinKind.INNER && conditions.isEmpty();
    }

    @Override
    public List<String> explainLines() {
        List<String> lines = new ArrayList<>();
        lines.add("join op: " + (isCross() ? "CROSS JOIN" : kind.text()) + "()");
        if (!conditions.isEmpty()) {
            lines.add("join conjuncts: " + PlanText.conjunction(conditions));
        }
        lines.add("cardinality=" + Math.round(rows));
        return lines;
    }
}
