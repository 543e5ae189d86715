// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.List;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.SlotReference;

/** Fails above one row, gives one row of NULLs for none. */
public record PhysicalAssertRows(Plan child) implements PhysicalPlan, UnaryPlan {
    @Override
    public Plan withChild(Plan other) {
        return new PhysicalAssertRows(other);
    }

    @Override
    public double rows() {
        return 1;
    }

    @Override
    public List<SlotReference> output() {
        return child.output().stream().map(slot -> slot.withNullable(true)).toList();
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
        return "VASSERT NUMBER OF ROWS";
    }

    @Override
    public List<String> explainLines() {
        return List.of("assert number of rows: EQ 1");
    }
}
