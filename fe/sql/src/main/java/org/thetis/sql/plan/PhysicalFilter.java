// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.List;
import org.thetis.sql.expr.Expr;

/** Keeps the rows for which every condition is true. */
public record PhysicalFilter(List<Expr> conditions, Plan child, double rows) implements PhysicalPlan, UnaryPlan {
    @Override
    public Plan withChild(Plan other) {
        return new PhysicalFilter(conditions, other, rows);
    }

    @Override
    public List<Expr> expressions() {
        return conditions;
    }

    @Override
    public Distribution distribution() {
        return input(0).distribution();
    }

    @Override
    public String explainName() {
        return "VSELECT";
    }

    @Override
    public String shape() {
        return "filter(" + PlanText.conjunction(conditions) + ")";
    }

    @Override
    public List<String> explainLines() {
        return List.of("predicates: " + PlanText.conjunction(conditions));
    }
}
