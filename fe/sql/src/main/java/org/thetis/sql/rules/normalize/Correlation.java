// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.normalize;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.thetis.base.error.ThetisException;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.ExprIds;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.expr.ScalarCall;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.expr.Subquery;
import org.thetis.sql.functions.Calls;
import org.thetis.sql.plan.JoinKind;
import org.thetis.sql.plan.LogicalAggregate;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.LogicalJoin;
import org.thetis.sql.plan.LogicalLimit;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.LogicalSort;
import org.thetis.sql.plan.LogicalTopN;
import org.thetis.sql.plan.Plan;

/** Finds the outer columns a subquery reads and pulls the conditions on them up to its top. */
final class Correlation {
    private Correlation() {}

    /** A subquery without outer columns, and the conditions it had on them, over its (perhaps extended) output. */
    record Pulled(Plan plan, List<Expr> conditions) {}

    /** Columns that the plan reads and no node of it produces. */
    static Set<SlotReference> free(Plan plan) {
        Set<SlotReference> produced = new HashSet<>();
        Set<SlotReference> read = new LinkedHashSet<>();
        collect(plan, produced, read);
        read.removeAll(produced);
        return read;
    }

    private static void collect(Plan plan, Set<SlotReference> produced, Set<SlotReference> read) {
        produced.addAll(plan.output());
        for (Expr expression : plan.expressions()) {
            read.addAll(expression.slots());
            expression.visit(node -> {
                if (node instanceof Subquery subquery) {
                    read.addAll(free((Plan) subquery.plan()));
                }
            });
        }
        plan.children().forEach(child -> collect(child, produced, read));
    }

    static boolean isCorrelated(Plan plan) {
        return !free(plan).isEmpty();
    }

    /** Takes the correlated conditions out of a plan. For existence only, order and row limits above zero do not matter. */
    static Pulled pull(Plan plan, boolean existence) {
        Set<SlotReference> outer = free(plan);
        return outer.isEmpty() ? new Pulled(plan, List.of()) : pull(plan, outer, existence);
    }

    private static boolean touches(Expr expression, Set<SlotReference> outer) {
        return expression.slots().stream().anyMatch(outer::contains)
                || expression.anyMatch(node -> node instanceof Subquery subquery && free((Plan) subquery.plan()).stream().anyMatch(outer::contains));
    }

    private static Pulled pull(Plan plan, Set<SlotReference> outer, boolean existence) {
        if (free(plan).stream().noneMatch(outer::contains)) {
            return new Pulled(plan, List.of());
        }
        if (plan instanceof LogicalFilter filter) {
            Pulled inner = pull(filter.child(), outer, existence);
            List<Expr> kept = new ArrayList<>();
            List<Expr> pulled = new ArrayList<>(inner.conditions());
            filter.conditions().forEach(condition -> (touches(condition, outer) ? pulled : kept).add(condition));
            if (pulled.stream().anyMatch(org.thetis.sql.rules.Substitution::hasSubquery)) {
                throw ThetisException.notSupported("subquery that reads columns of a query two levels above");
            }
            return new Pulled(kept.isEmpty() ? inner.plan() : new LogicalFilter(kept, inner.plan()), pulled);
        }
        if (plan instanceof LogicalProject project) {
            return project(project, outer, existence);
        }
        if (plan instanceof LogicalAggregate aggregate) {
            return aggregate(aggregate, outer, existence);
        }
        if (plan instanceof LogicalJoin join) {
            return join(join, outer, existence);
        }
        if (existence && plan instanceof LogicalSort sort) {
            return pull(sort.child(), outer, true);
        }
        if (existence && plan instanceof LogicalTopN top && top.limit() > 0 && top.offset() == 0) {
            return pull(top.child(), outer, true);
        }
        if (existence && plan instanceof LogicalLimit limit && limit.limit() != 0 && limit.offset() == 0) {
            return pull(limit.child(), outer, true);
        }
        throw ThetisException.notSupported("correlation through " + plan.nodeName());
    }

    private static Pulled project(LogicalProject project, Set<SlotReference> outer, boolean existence) {
        Pulled inner = pull(project.child(), outer, existence);
        List<NamedExpr> items = new ArrayList<>(project.items());
        if (items.stream().anyMatch(item -> touches(item, outer))) {
            if (!existence) {
                throw ThetisException.notSupported("outer column in the select list of a subquery");
            }
            items.removeIf(item -> touches(item, outer));
        }
        Set<SlotReference> available = new HashSet<>(inner.plan().output());
        for (Expr condition : inner.conditions()) {
            condition.slots().stream().filter(slot -> available.contains(slot) && !items.contains(slot)).forEach(items::add);
        }
        return new Pulled(new LogicalProject(items, inner.plan()), inner.conditions());
    }

    private static Pulled aggregate(LogicalAggregate aggregate, Set<SlotReference> outer, boolean existence) {
        Pulled inner = pull(aggregate.child(), outer, existence);
        if (aggregate.expressions().stream().anyMatch(expression -> touches(expression, outer))) {
            throw ThetisException.notSupported("outer column in an aggregate of a subquery");
        }
        Set<SlotReference> available = new HashSet<>(inner.plan().output());
        if (!areEqualities(inner.conditions(), available)) {
            throw ThetisException.notSupported("aggregate over a subquery that is correlated by other than equality");
        }
        List<NamedExpr> keys = new ArrayList<>(aggregate.keys());
        for (Expr condition : inner.conditions()) {
            condition.slots().stream().filter(slot -> available.contains(slot) && !keys.contains(slot)).forEach(keys::add);
        }
        return new Pulled(new LogicalAggregate(keys, aggregate.calls(), inner.plan()), inner.conditions());
    }

    /** Whether each condition equates something of the inner columns with something of the others. */
    static boolean areEqualities(List<Expr> conditions, Set<SlotReference> inner) {
        for (Expr condition : conditions) {
            if (!Calls.is(condition, "eq")) {
                return false;
            }
            ScalarCall equality = (ScalarCall) condition;
            boolean left = equality.child(0).slots().stream().anyMatch(inner::contains);
            boolean right = equality.child(1).slots().stream().anyMatch(inner::contains);
            boolean mixed = !inner.containsAll((left ? equality.child(0) : equality.child(1)).slots());
            if (left == right || mixed) {
                return false;
            }
        }
        return true;
    }

    private static Pulled join(LogicalJoin join, Set<SlotReference> outer, boolean existence) {
        List<Expr> kept = new ArrayList<>();
        List<Expr> pulled = new ArrayList<>();
        join.conditions().forEach(condition -> (touches(condition, outer) ? pulled : kept).add(condition));
        boolean rightOuter = free(join.right()).stream().anyMatch(outer::contains);
        boolean leftOnly = join.kind() == JoinKind.LEFT_OUTER || join.kind() == JoinKind.LEFT_SEMI || join.kind() == JoinKind.LEFT_ANTI;
        if (join.kind() != JoinKind.INNER && !(leftOnly && !rightOuter && pulled.isEmpty())) {
            throw ThetisException.notSupported("correlation through " + join.kind().text());
        }
        Pulled left = pull(join.left(), outer, existence);
        Pulled right = rightOuter ? pull(join.right(), outer, existence) : new Pulled(join.right(), List.of());
        pulled.addAll(left.conditions());
        pulled.addAll(right.conditions());
        return new Pulled(new LogicalJoin(join.kind(), kept, join.hint(), left.plan(), right.plan()), pulled);
    }

    /** The plan's first column again under fresh identities, so that the plan can be read a second time. */
    static Plan refresh(Plan plan, ExprIds ids) {
        return PlanCopy.copy(plan, ids);
    }

}
