// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.List;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.SlotReference;

/** A scalar subquery's promise: fails above one row, gives one row of NULLs for none. */
public record LogicalAssertRows(Plan child) implements LogicalPlan, UnaryPlan {
    @Override
    public Plan withChild(Plan other) {
        return new LogicalAssertRows(other);
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
    public String details() {
        return "assertNumRows=1";
    }
}
