// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.List;
import org.thetis.sql.expr.Alias;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.expr.SlotReference;

/** Computes columns row by row. */
public record PhysicalProject(List<NamedExpr> items, Plan child) implements PhysicalPlan, UnaryPlan {
    @Override
    public Plan withChild(Plan other) {
        return new PhysicalProject(items, other);
    }

    @Override
    public double rows() {
        return input(0).rows();
    }

    @Override
    public List<SlotReference> output() {
        return items.stream().map(NamedExpr::toSlot).toList();
    }

    @Override
    public List<Expr> expressions() {
        return List.copyOf(items);
    }

    /** The input's, as far as its keys come through. */
    @Override
    public Distribution distribution() {
        Distribution below = input(0).distribution();
        if (below.keys().isEmpty()) {
            return below;
        }
        List<Expr> keys = new java.util.ArrayList<>();
        for (Expr key : below.keys()) {
            Expr through = null;
            for (NamedExpr item : items) {
                if (item.equals(key)
                        || item instanceof Alias alias && alias.child().equals(key)) {
                    through = item.toSlot();
                }
            }
            if (through == null) {
                return Distribution.RANDOM;
            }
            keys.add(through);
        }
        return new Distribution(below.kind(), keys, below.layout());
    }

    /** Whether nothing is computed or renamed. */
    public boolean isSelection() {
        return items.stream().allMatch(SlotReference.class::isInstance);
    }

    @Override
    public String explainName() {
        return "VPROJECT";
    }

    @Override
    public List<String> explainLines() {
        return List.of("projections: " + PlanText.list(items));
    }
}
