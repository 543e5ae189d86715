// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.util.ArrayList;
import java.util.List;
import org.thetis.base.error.SourcePosition;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.sql.expr.Alias;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.ExprIds;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.plan.LogicalPlan;
import org.thetis.sql.plan.LogicalProject;

/**
 * Builds the projection from a source to written columns. In strict mode a value that may not convert comes a second time as it
 * was, behind the columns, so that the sink can tell a failed conversion from a NULL. Used once.
 */
final class RowBuilder {
    private final ExprIds ids;
    private final boolean strict;
    private final List<NamedExpr> columns = new ArrayList<>();
    private final List<NamedExpr> behind = new ArrayList<>();
    private final List<Integer> unconverted = new ArrayList<>();

    RowBuilder(ExprIds ids, boolean strict) {
        this.ids = ids;
        this.strict = strict;
    }

    /** Adds a column that takes a value of any type. */
    void converted(SchemaColumn column, Expr given, SourcePosition position) {
        Expr value = InsertValues.converted(given, column, strict, position);
        add(column, value);
        if (strict && !InsertValues.isSafe(given, value, column)) {
            unconverted.set(unconverted.size() - 1, behind.size());
            behind.add(new Alias(ids.next(), column.name(), given));
        }
    }

    /** Adds a column that takes a value of its type. */
    void add(SchemaColumn column, Expr value) {
        columns.add(new Alias(ids.next(), column.name(), value));
        unconverted.add(-1);
    }

    /** The written columns over the source, then what some of them were converted from. */
    LogicalPlan over(LogicalPlan source) {
        List<NamedExpr> all = new ArrayList<>(columns);
        all.addAll(behind);
        return new LogicalProject(all, source);
    }

    /** Per column the position of what it was converted from, or -1; empty when there is nothing of the kind. */
    List<Integer> unconverted() {
        return behind.isEmpty()
                ? List.of()
                : unconverted.stream()
                        .map(at -> at < 0 ? -1 : columns.size() + at)
                        .toList();
    }
}
