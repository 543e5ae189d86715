// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.normalize;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.expr.Alias;
import org.thetis.sql.expr.Expr;
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
import org.thetis.sql.rules.Substitution;

/** Finds the outer columns a subquery reads and pulls the conditions on them up to its top. */
final class Correlation {
    private Correlation() {}

    /** A subquery without outer columns, and the conditions it had on them, over its (perhaps extended) output. */
    record Pulled(Plan plan, List<Expr> conditions) {}

    /** Columns that some node of the plan reads and its inputs do not give. */
    static Set<SlotReference> free(Plan plan) {
        Set<SlotReference> read = new LinkedHashSet<>();
        collect(plan, read);
        return read;
    }

    private static void collect(Plan plan, Set<SlotReference> free) {
        Set<SlotReference> given = new HashSet<>();
        plan.children().forEach(child -> given.addAll(child.output()));
        Set<SlotReference> read = new LinkedHashSet<>();
        for (Expr expression : plan.expressions()) {
            read.addAll(expression.slots());
            expression.visit(node -> {
                if (node instanceof Subquery subquery) {
                    read.addAll(free((Plan) subquery.plan()));
                }
            });
        }
        read.removeAll(given);
        free.addAll(read);
        plan.children().forEach(child -> collect(child, free));
    }

    static boolean isCorrelated(Plan plan) {
        return !free(plan).isEmpty();
    }

    /**
     * Takes the correlated conditions out of an aggregate without keys, which becomes one by the correlated columns: the caller sees to
     * outer rows without a group. Empty when the correlation is of a form that this cannot do.
     */
    static Optional<Pulled> pullGroups(LogicalAggregate aggregate, RuleContext context) {
        return aggregate(aggregate, new Outer(free(aggregate), false, context));
    }

    /** The same for a plan of which only the existence of rows matters, so that order and row limits above zero do not. */
    static Optional<Pulled> pullForExistence(Plan plan, RuleContext context) {
        Set<SlotReference> outer = free(plan);
        return outer.isEmpty() ? Optional.of(new Pulled(plan, List.of())) : pull(plan, new Outer(outer, true, context));
    }

    /** The same for a plan whose rows are compared with a value. */
    static Optional<Pulled> pullRows(Plan plan, RuleContext context) {
        Set<SlotReference> outer = free(plan);
        return outer.isEmpty()
                ? Optional.of(new Pulled(plan, List.of()))
                : pull(plan, new Outer(outer, false, context));
    }

    /** The columns of the outer query and what the subquery is for. */
    private record Outer(Set<SlotReference> columns, boolean existence, RuleContext context) {}

    private static boolean touches(Expr expression, Outer outer) {
        return expression.slots().stream().anyMatch(outer.columns()::contains)
                || expression.anyMatch(node -> node instanceof Subquery subquery
                        && free((Plan) subquery.plan()).stream().anyMatch(outer.columns()::contains));
    }

    private static Optional<Pulled> pull(Plan plan, Outer outer) {
        if (free(plan).stream().noneMatch(outer.columns()::contains)) {
            return Optional.of(new Pulled(plan, List.of()));
        }
        if (plan instanceof LogicalFilter filter) {
            return pull(filter.child(), outer).flatMap(inner -> filter(filter, inner, outer));
        }
        if (plan instanceof LogicalProject project) {
            return pull(project.child(), outer).flatMap(inner -> project(project, inner, outer));
        }
        if (plan instanceof LogicalAggregate aggregate) {
            // Without keys there is a row even where no row is left, which grouping would lose.
            return aggregate.keys().isEmpty() ? Optional.empty() : aggregate(aggregate, outer);
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
        return plan instanceof LogicalLimit limit ? limit(limit, outer) : Optional.empty();
    }

    private static Optional<Pulled> filter(LogicalFilter filter, Pulled inner, Outer outer) {
        List<Expr> kept = new ArrayList<>();
        List<Expr> pulled = new ArrayList<>(inner.conditions());
        filter.conditions().forEach(condition -> (touches(condition, outer) ? pulled : kept).add(condition));
        if (pulled.stream().anyMatch(Substitution::hasSubquery)) {
            return Optional.empty();
        }
        return Optional.of(new Pulled(kept.isEmpty() ? inner.plan() : new LogicalFilter(kept, inner.plan()), pulled));
    }

    private static Optional<Pulled> limit(LogicalLimit limit, Outer outer) {
        if (limit.child() instanceof LogicalProject project) {
            return pull(project.withChild(new LogicalLimit(limit.limit(), limit.offset(), project.child())), outer);
        }
        if (limit.child() instanceof LogicalSort sort) {
            return firstRows(sort.keys(), limit.limit(), limit.offset(), sort.child(), outer);
        }
        return firstRows(List.of(), limit.limit(), limit.offset(), limit.child(), outer);
    }

    /** A row limit per outer row: rows are numbered among those with equal correlated columns. */
    private static Optional<Pulled> firstRows(List<SortKey> keys, long limit, long offset, Plan child, Outer outer) {
        Optional<Pulled> pulled = pull(child, outer);
        if (pulled.isEmpty() || keys.stream().anyMatch(key -> touches(key.expression(), outer))) {
            return Optional.empty();
        }
        Pulled inner = pulled.get();
        Set<SlotReference> available = new HashSet<>(inner.plan().output());
        if (!areEqualities(inner.conditions(), available)) {
            return Optional.empty();
        }
        Set<Expr> partition = new LinkedHashSet<>();
        for (Expr condition : inner.conditions()) {
            ScalarCall equality = (ScalarCall) condition;
            boolean left = equality.child(0).slots().stream().anyMatch(available::contains);
            partition.add(equality.child(left ? 0 : 1));
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
        return Optional.of(
                new Pulled(range.isEmpty() ? inner.plan() : new LogicalFilter(range, numbered), inner.conditions()));
    }

    private static Optional<Pulled> project(LogicalProject project, Pulled inner, Outer outer) {
        List<NamedExpr> items = new ArrayList<>(project.items());
        if (items.stream().anyMatch(item -> touches(item, outer))) {
            if (!outer.existence()) {
                return Optional.empty();
            }
            items.removeIf(item -> touches(item, outer));
        }
        Set<SlotReference> available = new HashSet<>(inner.plan().output());
        for (Expr condition : inner.conditions()) {
            condition.slots().stream()
                    .filter(slot -> available.contains(slot) && !items.contains(slot))
                    .forEach(items::add);
        }
        return Optional.of(new Pulled(new LogicalProject(items, inner.plan()), inner.conditions()));
    }

    private static Optional<Pulled> aggregate(LogicalAggregate aggregate, Outer outer) {
        Optional<Pulled> pulled = pull(aggregate.child(), outer);
        if (pulled.isEmpty() || aggregate.expressions().stream().anyMatch(expression -> touches(expression, outer))) {
            return Optional.empty();
        }
        Pulled inner = pulled.get();
        Set<SlotReference> available = new HashSet<>(inner.plan().output());
        // Keys are whole sides of the equalities: of columns inside an expression several groups could match.
        if (!areEqualities(inner.conditions(), available)) {
            return Optional.empty();
        }
        List<NamedExpr> keys = new ArrayList<>(aggregate.keys());
        List<Expr> conditions = new ArrayList<>();
        for (Expr condition : inner.conditions()) {
            ScalarCall equality = (ScalarCall) condition;
            boolean left = equality.child(0).slots().stream().anyMatch(available::contains);
            Expr side = equality.child(left ? 0 : 1);
            NamedExpr key =
                    side instanceof SlotReference slot ? slot : outer.context().alias(side.sql(), side);
            if (!keys.contains(key)) {
                keys.add(key);
            }
            Expr other = equality.child(left ? 1 : 0);
            conditions.add(equality.withChildren(left ? List.of(key.toSlot(), other) : List.of(other, key.toSlot())));
        }
        return Optional.of(new Pulled(new LogicalAggregate(keys, aggregate.calls(), inner.plan()), conditions));
    }

    /** Whether each condition equates something of the inner columns with something of the others. */
    static boolean areEqualities(List<Expr> conditions, Set<SlotReference> inner) {
        for (Expr condition : conditions) {
            if (!Calls.is(condition, "eq") && !Calls.is(condition, "eq_for_null")) {
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

    private static Optional<Pulled> join(LogicalJoin join, Outer outer) {
        List<Expr> kept = new ArrayList<>();
        List<Expr> pulled = new ArrayList<>();
        join.conditions().forEach(condition -> (touches(condition, outer) ? pulled : kept).add(condition));
        boolean rightOuter = free(join.right()).stream().anyMatch(outer.columns()::contains);
        boolean leftOnly = join.kind() == JoinKind.LEFT_OUTER
                || join.kind() == JoinKind.LEFT_SEMI
                || join.kind() == JoinKind.LEFT_ANTI;
        boolean canPull = join.kind() == JoinKind.INNER || leftOnly && !rightOuter && pulled.isEmpty();
        if (!canPull || pulled.stream().anyMatch(Substitution::hasSubquery)) {
            return Optional.empty();
        }
        Optional<Pulled> left = pull(join.left(), outer);
        Optional<Pulled> right =
                rightOuter ? pull(join.right(), outer) : Optional.of(new Pulled(join.right(), List.of()));
        if (left.isEmpty() || right.isEmpty()) {
            return Optional.empty();
        }
        pulled.addAll(left.get().conditions());
        pulled.addAll(right.get().conditions());
        return Optional.of(new Pulled(
                new LogicalJoin(
                        join.kind(),
                        kept,
                        join.hint(),
                        left.get().plan(),
                        right.get().plan()),
                pulled));
    }
}
