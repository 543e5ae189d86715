// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.normalize;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.expr.Alias;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.ExprIds;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.expr.ScalarCall;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.expr.SortKey;
import org.thetis.sql.expr.Subquery;
import org.thetis.sql.expr.WindowCall;
import org.thetis.sql.functions.Calls;
import org.thetis.sql.plan.JoinKind;
import org.thetis.sql.plan.LogicalAggregate;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.LogicalJoin;
import org.thetis.sql.plan.LogicalLimit;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.LogicalSort;
import org.thetis.sql.plan.LogicalTopN;
import org.thetis.sql.plan.LogicalWindow;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.RuleContext;

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

    /** Takes the correlated conditions out of a plan. */
    static Pulled pull(Plan plan, RuleContext context) {
        Set<SlotReference> outer = free(plan);
        return outer.isEmpty() ? new Pulled(plan, List.of()) : pull(plan, new Outer(outer, false, context));
    }

    /** The same where only existence of rows matters, so that order and row limits above zero do not. */
    static Pulled pullForExistence(Plan plan, RuleContext context) {
        Set<SlotReference> outer = free(plan);
        return outer.isEmpty() ? new Pulled(plan, List.of()) : pull(plan, new Outer(outer, true, context));
    }

    /** The columns of the outer query and what the subquery is for. */
    private record Outer(Set<SlotReference> columns, boolean existence, RuleContext context) {}

    private static boolean touches(Expr expression, Outer outer) {
        return expression.slots().stream().anyMatch(outer.columns()::contains)
                || expression.anyMatch(node -> node instanceof Subquery subquery
                        && free((Plan) subquery.plan()).stream().anyMatch(outer.columns()::contains));
    }

    private static Pulled pull(Plan plan, Outer outer) {
        if (free(plan).stream().noneMatch(outer.columns()::contains)) {
            return new Pulled(plan, List.of());
        }
        if (plan instanceof LogicalFilter filter) {
            Pulled inner = pull(filter.child(), outer);
            List<Expr> kept = new ArrayList<>();
            List<Expr> pulled = new ArrayList<>(inner.conditions());
            filter.conditions().forEach(condition -> (touches(condition, outer) ? pulled : kept).add(condition));
            if (pulled.stream().anyMatch(org.thetis.sql.rules.Substitution::hasSubquery)) {
                throw ThetisException.notSupported("subquery that reads columns of a query two levels above");
            }
            return new Pulled(kept.isEmpty() ? inner.plan() : new LogicalFilter(kept, inner.plan()), pulled);
        }
        if (plan instanceof LogicalProject project) {
            return project(project, outer);
        }
        if (plan instanceof LogicalAggregate aggregate) {
            return aggregate(aggregate, outer);
        }
        if (plan instanceof LogicalJoin join) {
            return join(join, outer);
        }
        if (plan instanceof LogicalSort sort) {
            return pull(sort.child(), outer);
        }
        if (outer.existence() && plan instanceof LogicalTopN top && top.limit() > 0 && top.offset() == 0) {
            return pull(top.child(), outer);
        }
        if (outer.existence() && plan instanceof LogicalLimit limit && limit.limit() != 0 && limit.offset() == 0) {
            return pull(limit.child(), outer);
        }
        if (plan instanceof LogicalTopN top) {
            return firstRows(top.keys(), top.limit(), top.offset(), top.child(), outer);
        }
        if (plan instanceof LogicalLimit limit) {
            return limit(limit, outer);
        }
        throw ThetisException.notSupported("correlation through " + plan.nodeName());
    }

    private static Pulled limit(LogicalLimit limit, Outer outer) {
        if (limit.child() instanceof LogicalProject project) {
            return pull(project.withChild(new LogicalLimit(limit.limit(), limit.offset(), project.child())), outer);
        }
        if (limit.child() instanceof LogicalSort sort) {
            return firstRows(sort.keys(), limit.limit(), limit.offset(), sort.child(), outer);
        }
        return firstRows(List.of(), limit.limit(), limit.offset(), limit.child(), outer);
    }

    /** A row limit per outer row: rows are numbered among those with equal correlated columns. */
    private static Pulled firstRows(List<SortKey> keys, long limit, long offset, Plan child, Outer outer) {
        Pulled inner = pull(child, outer);
        Set<SlotReference> available = new HashSet<>(inner.plan().output());
        if (!areEqualities(inner.conditions(), available)) {
            throw ThetisException.notSupported("LIMIT in a subquery that is correlated by other than equality");
        }
        Set<Expr> partition = new LinkedHashSet<>();
        for (Expr condition : inner.conditions()) {
            condition.slots().stream().filter(available::contains).forEach(partition::add);
        }
        RuleContext context = outer.context();
        WindowCall number =
                new WindowCall("row_number", List.of(), List.copyOf(partition), keys, null, DataType.BIGINT, false);
        Alias row = context.alias("row_number", number);
        List<Expr> range = new ArrayList<>();
        if (limit >= 0 && limit <= Long.MAX_VALUE - offset) {
            range.add(Calls.compare("le", row.toSlot(), Literal.bigint(limit + offset)));
        }
        if (offset > 0) {
            range.add(Calls.compare("gt", row.toSlot(), Literal.bigint(offset)));
        }
        Plan numbered = new LogicalWindow(List.of(row), inner.plan());
        return new Pulled(range.isEmpty() ? inner.plan() : new LogicalFilter(range, numbered), inner.conditions());
    }

    private static Pulled project(LogicalProject project, Outer outer) {
        Pulled inner = pull(project.child(), outer);
        List<NamedExpr> items = new ArrayList<>(project.items());
        if (items.stream().anyMatch(item -> touches(item, outer))) {
            if (!outer.existence()) {
                throw ThetisException.notSupported("outer column in the select list of a subquery");
            }
            items.removeIf(item -> touches(item, outer));
        }
        Set<SlotReference> available = new HashSet<>(inner.plan().output());
        for (Expr condition : inner.conditions()) {
            condition.slots().stream()
                    .filter(slot -> available.contains(slot) && !items.contains(slot))
                    .forEach(items::add);
        }
        return new Pulled(new LogicalProject(items, inner.plan()), inner.conditions());
    }

    private static Pulled aggregate(LogicalAggregate aggregate, Outer outer) {
        Pulled inner = pull(aggregate.child(), outer);
        if (aggregate.expressions().stream().anyMatch(expression -> touches(expression, outer))) {
            throw ThetisException.notSupported("outer column in an aggregate of a subquery");
        }
        Set<SlotReference> available = new HashSet<>(inner.plan().output());
        if (!areEqualities(inner.conditions(), available)) {
            throw ThetisException.notSupported("aggregate over a subquery that is correlated by other than equality");
        }
        List<NamedExpr> keys = new ArrayList<>(aggregate.keys());
        for (Expr condition : inner.conditions()) {
            condition.slots().stream()
                    .filter(slot -> available.contains(slot) && !keys.contains(slot))
                    .forEach(keys::add);
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

    private static Pulled join(LogicalJoin join, Outer outer) {
        List<Expr> kept = new ArrayList<>();
        List<Expr> pulled = new ArrayList<>();
        join.conditions().forEach(condition -> (touches(condition, outer) ? pulled : kept).add(condition));
        boolean rightOuter = free(join.right()).stream().anyMatch(outer.columns()::contains);
        boolean leftOnly = join.kind() == JoinKind.LEFT_OUTER
                || join.kind() == JoinKind.LEFT_SEMI
                || join.kind() == JoinKind.LEFT_ANTI;
        if (join.kind() != JoinKind.INNER && !(leftOnly && !rightOuter && pulled.isEmpty())) {
            throw ThetisException.notSupported(
                    "correlation through " + join.kind().text());
        }
        Pulled left = pull(join.left(), outer);
        Pulled right = rightOuter ? pull(join.right(), outer) : new Pulled(join.right(), List.of());
        pulled.addAll(left.conditions());
        pulled.addAll(right.conditions());
        return new Pulled(new LogicalJoin(join.kind(), kept, join.hint(), left.plan(), right.plan()), pulled);
    }

    /** The plan's first column again under fresh identities, so that the plan can be read a second time. */
    static Plan refresh(Plan plan, ExprIds ids) {
        return PlanCopy.copy(plan, ids);
    }
}
