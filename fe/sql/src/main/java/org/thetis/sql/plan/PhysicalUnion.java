// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.List;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.SlotReference;

/** All rows of all inputs. */
public record PhysicalUnion(List<SlotReference> output, List<Plan> children, double rows) implements PhysicalPlan {
    @Override
    public Plan withChildren(List<Plan> others) {
        return new PhysicalUnion(output, others, rows);
    }

    @Override
    public List<Expr> expressions() {
        return List.of();
    }

    @Override
    public Distribution distribution() {
        return input(0).distribution().isSingle() ? Distribution.SINGLE : Distribution.RANDOM;
    }

    @Override
    public String explainName() {
        return "VUNION";
    }

    @Override
    public List<String> explainLines() {
        return List.of("cardinality=" + Math.round(rows));
    }
}
