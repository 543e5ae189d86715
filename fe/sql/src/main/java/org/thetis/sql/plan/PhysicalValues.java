// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.List;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.SlotReference;

/** Rows given in the plan. */
public record PhysicalValues(List<SlotReference> output, List<List<Expr>> data) implements PhysicalPlan, LeafPlan {
    @Override
    public double rows() {
        return data.size();
    }

    @Override
    public List<Expr> expressions() {
        return List.of();
    }

    @Override
    public Distribution distribution() {
        return Distribution.SINGLE;
    }

    @Override
    public String explainName() {
        return data.isEmpty() ? "VEMPTYSET" : "VUNION";
    }

    @Override
    public String nodeName() {
        return data.isEmpty()
                ? "PhysicalEmptyRelation"
                : output.isEmpty() ? "PhysicalOneRowRelation" : "PhysicalValues";
    }

    @Override
    public List<String> explainLines() {
        if (data.isEmpty()) {
            return List.of();
        }
        return List.of("constant exprs: " + data.size()
                + (data.size() == 1 ? " row: " + PlanText.list(data.get(0)) : " rows"));
    }
}
