// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.ArrayList;
import java.util.List;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.SlotReference;

/** Joins two inputs on all conditions. Output: left columns, then right columns (semi and anti: one side). */
public record LogicalJoin(JoinKind kind, List<Expr> conditions, JoinHint hint, Plan left, Plan right)
        implements LogicalPlan {
    /** Copies the list. */
    public LogicalJoin {
        conditions = List.copyOf(conditions);
    }

    /** A join without hint. */
    public LogicalJoin(JoinKind kind, List<Expr> conditions, Plan left, Plan right) {
        this(kind, conditions, JoinHint.NONE, left, right);
    }

    @Override
    public List<Plan> children() {
        return List.of(left, right);
    }

    @Override
    public Plan withChildren(List<Plan> children) {
        return new LogicalJoin(kind, conditions, hint, children.get(0), children.get(1));
    }

    /** The same join on other conditions. */
    public LogicalJoin withConditions(List<Expr> others) {
        return new LogicalJoin(kind, others, hint, left, right);
    }

    @Override
    public List<SlotReference> output() {
        return joinOutput(kind, left.output(), right.output());
    }

    /** Output columns of a join of the given kind. */
    public static List<SlotReference> joinOutput(JoinKind kind, List<SlotReference> left, List<SlotReference> right) {
        List<SlotReference> all = new ArrayList<>();
        if (kind.keepsLeft()) {
            left.forEach(slot -> all.add(kind.padsLeft() ? slot.withNullable(true) : slot));
        }
        if (kind.keepsRight()) {
            right.forEach(slot -> all.add(kind.padsRight() ? slot.withNullable(true) : slot));
        }
        return all;
    }

    @Override
    public List<Expr> expressions() {
        return conditions;
    }

    @Override
    public String details() {
        return "type=" + kind + (conditions.isEmpty() ? "" : ", condition=(" + PlanText.conjunction(conditions) + ")");
    }
}
