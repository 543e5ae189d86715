// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.List;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.SortKey;

/** The first rows in order of each back end. */
public record PhysicalTopN(List<SortKey> keys, long limit, long offset, Plan child, double rows)
        implements PhysicalPlan, UnaryPlan {
    @Override
    public Plan withChild(Plan other) {
        return new PhysicalTopN(keys, limit, offset, other, rows);
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
        return "VTOP-N";
    }

    @Override
    public List<String> explainLines() {
        return List.of(
                "order by: " + PlanText.keys(keys), "algorithm: heap sort", "offset: " + offset, "limit: " + limit);
    }
}
