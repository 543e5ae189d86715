// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.List;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.SlotReference;

/** Emits every row once per grouping set. */
public record PhysicalRepeat(LogicalRepeat repeat, Plan child, double rows) implements PhysicalPlan, UnaryPlan {
    @Override
    public Plan withChild(Plan other) {
        return new PhysicalRepeat(repeat, other, rows);
    }

    @Override
    public List<SlotReference> output() {
        return ((LogicalRepeat) repeat.withChild(child)).output();
    }

    @Override
    public List<Expr> expressions() {
        return repeat.expressions();
    }

    @Override
    public Distribution distribution() {
        return input(0).distribution().isSingle() ? Distribution.SINGLE : Distribution.RANDOM;
    }

    @Override
    public String explainName() {
        return "VREPEAT_NODE";
    }

    @Override
    public List<String> explainLines() {
        return List.of("repeat: repeat " + (repeat.sets().size() - 1) + " lines " + repeat.sets());
    }
}
