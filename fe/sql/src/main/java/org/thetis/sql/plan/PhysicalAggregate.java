// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.ArrayList;
import java.util.List;
import org.thetis.sql.expr.AggregateCall;
import org.thetis.sql.expr.Alias;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.expr.SlotReference;

/** Groups and aggregates. A PARTIAL node's call columns hold states, which the FINAL node above reads under the same identities. */
public record PhysicalAggregate(AggregatePhase phase, List<NamedExpr> keys, List<Alias> calls, Plan child, double rows)
        implements PhysicalPlan, UnaryPlan {
    @Override
    public Plan withChild(Plan other) {
        return new PhysicalAggregate(phase, keys, calls, other, rows);
    }

    @Override
    public List<SlotReference> output() {
        List<SlotReference> all = new ArrayList<>();
        keys.forEach(key -> all.add(key.toSlot()));
        for (Alias call : calls) {
            AggregateCall function = LogicalAggregate.function(call);
            SlotReference slot = call.toSlot();
            all.add(
                    phase == AggregatePhase.PARTIAL
                            ? new SlotReference(
                                    slot.id(), null, slot.name(), function.stateType(), function.nullable(), null)
                            : slot);
        }
        return all;
    }

    @Override
    public List<Expr> expressions() {
        List<Expr> all = new ArrayList<>(keys);
        if (phase != AggregatePhase.FINAL) {
            all.addAll(calls);
        }
        return all;
    }

    @Override
    public Distribution distribution() {
        Distribution below = input(0).distribution();
        if (below.keys().isEmpty()) {
            return below;
        }
        return new PhysicalProject(keys, child).distribution();
    }

    @Override
    public String explainName() {
        return "VAGGREGATE (" + phase.text() + ")";
    }

    @Override
    public String nodeName() {
        return "PhysicalHashAggregate";
    }

    @Override
    public String shape() {
        return "hashAgg[" + (phase == AggregatePhase.PARTIAL ? "LOCAL" : "GLOBAL") + "]";
    }

    @Override
    public List<String> explainLines() {
        List<String> lines = new ArrayList<>();
        List<String> output = new ArrayList<>();
        for (Alias call : calls) {
            String text = LogicalAggregate.function(call).sql();
            output.add(
                    phase == AggregatePhase.SINGLE
                            ? text
                            : phase == AggregatePhase.PARTIAL
                                    ? "partial_" + text
                                    : text.replaceFirst("\\(.*", "(partial_" + text.replace("$", "\\$") + ")"));
        }
        lines.add("output: " + String.join(", ", output));
        lines.add("group by: "
                + PlanText.list(keys.stream().map(NamedExpr::toSlot).toList()));
        lines.add("cardinality=" + Math.round(rows));
        return lines;
    }
}
