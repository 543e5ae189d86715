// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.ArrayList;
import java.util.List;
import org.thetis.sql.expr.Alias;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.expr.WindowCall;

/** Appends window results to input sorted by partition and order. */
public record PhysicalWindow(List<Alias> calls, Plan child) implements PhysicalPlan, UnaryPlan {
    @Override
    public Plan withChild(Plan other) {
        return new PhysicalWindow(calls, other);
    }

    @Override
    public double rows() {
        return input(0).rows();
    }

    @Override
    public List<SlotReference> output() {
        List<SlotReference> all = new ArrayList<>(child.output());
        calls.forEach(call -> all.add(call.toSlot()));
        return all;
    }

    /** The function and window of a call. */
    public static WindowCall function(Alias call) {
        return (WindowCall) call.child();
    }

    @Override
    public List<Expr> expressions() {
        return List.copyOf(calls);
    }

    @Override
    public Distribution distribution() {
        return input(0).distribution();
    }

    @Override
    public String explainName() {
        return "VANALYTIC";
    }

    @Override
    public List<String> explainLines() {
        WindowCall first = function(calls.get(0));
        List<String> lines = new ArrayList<>();
        calls.forEach(call -> lines.add("functions: [" + function(call).name() + "("
                + PlanText.list(function(call).arguments()) + ")]"));
        if (!first.partitionBy().isEmpty()) {
            lines.add("partition by: " + PlanText.list(first.partitionBy()));
        }
        if (!first.orderBy().isEmpty()) {
            lines.add("order by: " + PlanText.keys(first.orderBy()));
        }
        return lines;
    }
}
