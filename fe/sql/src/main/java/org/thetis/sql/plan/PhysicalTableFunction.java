// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.List;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.SlotReference;

/** Rows made by a table-valued function on one back end. */
public record PhysicalTableFunction(LogicalTableFunction function, double rows) implements PhysicalPlan, LeafPlan {
    @Override
    public List<SlotReference> output() {
        return function.output();
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
        return "VDATAGENSCAN";
    }

    @Override
    public List<String> explainLines() {
        return List.of("table value function: " + function.name());
    }
}
