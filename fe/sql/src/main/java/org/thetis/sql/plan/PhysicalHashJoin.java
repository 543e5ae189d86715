// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.ArrayList;
import java.util.List;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.SlotReference;

/** Builds a table of the right input and probes it with the left. Null-safe keys are those compared with <=>. */
public record PhysicalHashJoin(
        JoinKind kind,
        List<Expr> probeKeys,
        List<Expr> buildKeys,
        List<Boolean> nullSafe,
        List<Expr> otherConditions,
        JoinSpread spread,
        Distribution distribution,
        Plan left,
        Plan right,
        double rows)
        implements PhysicalPlan {
    @Override
    public List<Plan> children() {
        return List.of(left, right);
    }

    @Override
    public Plan withChildren(List<Plan> children) {
        return new PhysicalHashJoin(
                kind,
                probeKeys,
                buildKeys,
                nullSafe,
                otherConditions,
                spread,
                distribution,
                children.get(0),
                children.get(1),
                rows);
    }

    @Override
    public List<SlotReference> output() {
        return LogicalJoin.joinOutput(kind, left.output(), right.output());
    }

    @Override
    public List<Expr> expressions() {
        List<Expr> all = new ArrayList<>(probeKeys);
        all.addAll(buildKeys);
        all.addAll(otherConditions);
        return all;
    }

    @Override
    public String explainName() {
        return "VHASH JOIN";
    }

    @Override
    public String shape() {
        return "hashJoin[" + kind + "_JOIN] hashCondition=(" + String.join(" and ", keys()) + ") otherCondition=("
                + PlanText.conjunction(otherConditions) + ")";
    }

    private List<String> keys() {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < probeKeys.size(); i++) {
            keys.add("(" + probeKeys.get(i).sql() + (nullSafe.get(i) ? " <=> " : " = ")
                    + buildKeys.get(i).sql() + ")");
        }
        return keys;
    }

    @Override
    public List<String> explainLines() {
        List<String> lines = new ArrayList<>();
        lines.add("join op: " + kind.text() + "(" + spread.text() + ")[]");
        keys().forEach(key -> lines.add("equal join conjunct: " + key));
        if (!otherConditions.isEmpty()) {
            lines.add("other join predicates: " + PlanText.conjunction(otherConditions));
        }
        lines.add("cardinality=" + Math.round(rows));
        return lines;
    }
}
