// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.List;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.SortKey;

/** Orders the rows of each back end. */
public record PhysicalSort(List<SortKey> keys, Plan child) implements PhysicalPlan, UnaryPlan {
    @Override
    public Plan withChild(Plan other) {
        return new PhysicalSort(keys, other);
    }

    @Override
    public double rows() {
        return input(0).rows();
    }

    @Override
    public List<Expr> expressions() {
        return keys.stream().map(SortKey::expression).toList();
    }

    @Override
    public Distribution distribution() {
        return input(0).distribution();
    }

    @Override
    public String explainName() {
        return "VSORT";
    }

    @Override
    public String nodeName() {
        return "PhysicalQuickSort";
    }

    @Override
    public List<String> explainLines() {
        return List.of("order by: " + PlanText.keys(keys), "algorithm: full sort", "offset: 0");
    }
}
