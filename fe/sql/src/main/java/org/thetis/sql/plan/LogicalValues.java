// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.List;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.SlotReference;

/** Rows given in the statement or held by the front end; no row is the empty relation, one row without columns is FROM dual. */
public record LogicalValues(List<SlotReference> output, List<List<Expr>> rows) implements LogicalPlan, LeafPlan {
    /** Copies the column list; rows are shared, as there may be many. */
    public LogicalValues {
        output = List.copyOf(output);
    }

    /** A relation of these columns without rows. */
    public static LogicalValues empty(List<SlotReference> output) {
        return new LogicalValues(output, List.of());
    }

    /** One row without columns. */
    public static LogicalValues oneRow() {
        return new LogicalValues(List.of(), List.of(List.of()));
    }

    /** Whether there is no row. */
    public boolean isEmpty() {
        return rows.isEmpty();
    }

    @Override
    public String nodeName() {
        return rows.isEmpty() ? "LogicalEmptyRelation" : output.isEmpty() ? "LogicalOneRowRelation" : "LogicalValues";
    }

    @Override
    public String details() {
        return "rows=" + rows.size() + ", outputs=[" + PlanText.list(output) + "]";
    }
}
