// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.normalize;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.expr.AggregateCall;
import org.thetis.sql.expr.Alias;
import org.thetis.sql.expr.CaseWhen;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.ExprId;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.expr.NullMode;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.expr.SortKey;
import org.thetis.sql.expr.WindowCall;
import org.thetis.sql.functions.Calls;
import org.thetis.sql.plan.JoinKind;
import org.thetis.sql.plan.LogicalAggregate;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.LogicalJoin;
import org.thetis.sql.plan.LogicalLimit;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.LogicalRepeat;
import org.thetis.sql.plan.LogicalSort;
import org.thetis.sql.plan.LogicalTopN;
import org.thetis.sql.plan.LogicalUnion;
import org.thetis.sql.plan.LogicalWindow;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.RuleContext;
import org.thetis.sql.rules.Substitution;

/**
 * Evaluates a correlated subquery once per distinct combination of the outer columns it reads: these combinations (the domain) are
 * joined in below the operators that read them, and every operator on the way up keeps them apart. Works for correlations of any
 * form, at the price of a second evaluation of the outer plan; Correlation is tried first.
 */
final class DependentJoin {
    private final RuleContext context;
    private final Plan outerPlan;
    private final List<SlotReference> outer;

    /** A part of the subquery per domain row: keys are the domain's columns, in step with the outer ones. */
    private record Part(Plan plan, List<SlotReference> keys, List<SlotReference> output) {}

    private DependentJoin(RuleContext context, Plan outerPlan, List<SlotReference> outer) {
        this.context = context;
        this.outerPlan = outerPlan;
        this.outer = outer;
    }

    /**
     * The subquery without outer columns: its own columns first, and conditions that tie a row of the outer plan to the rows the
     * subquery has for it.
     */
    static Correlation.Pulled pull(Plan subquery, Plan outerPlan, RuleContext context) {
        List<SlotReference> outer = List.copyOf(Correlation.free(subquery));
        if (!outerPlan.output().containsAll(outer)) {
            throw ThetisException.notSupported("subquery that reads columns of a query that is not around it");
        }
        if (!isRepeatable(outerPlan)) {
            throw ThetisException.notSupported(
                    "subquery correlated by other than equality with a query of LIMIT or random values");
        }
        Part part = new DependentJoin(context, outerPlan, outer).push(subquery);
        List<NamedExpr> items = new ArrayList<>();
        for (SlotReference column : part.output()) {
            items.add(
                    items.contains(column) || part.keys().contains(column)
                            ? context.alias(column.name(), column)
                            : column);
        }
        items.addAll(part.keys());
        List<Expr> conditions = new ArrayList<>();
        for (int i = 0; i < outer.size(); i++) {
            SlotReference given = outerPlan.output().get(outerPlan.output().indexOf(outer.get(i)));
            conditions.add(same(given, part.keys().get(i)));
        }
        return new Correlation.Pulled(new LogicalProject(items, part.plan()), conditions);
    }

    /** Whether a second evaluation gives the same rows. */
    private static boolean isRepeatable(Plan plan) {
        if (plan instanceof LogicalJoin join
                && join.conditions().isEmpty()
                && !join.kind().keepsRight()) {
            // Of the right side only whether there is a row counts, whichever it is.
            return isRepeatable(join.left());
        }
        return !(plan instanceof LogicalLimit)
                && !(plan instanceof LogicalTopN)
                && plan.expressions().stream().noneMatch(Substitution::isVolatile)
                && plan.children().stream().allMatch(DependentJoin::isRepeatable);
    }

    private static Expr same(SlotReference left, SlotReference right) {
        return left.nullable() || right.nullable() ? Calls.compare("eq_for_null", left, right) : Calls.eq(left, right);
    }

    /** The distinct combinations of the outer columns, under fresh identities at every use. */
    private Part domain() {
        Plan copy = PlanCopy.copy(outerPlan, context.ids());
        List<NamedExpr> keys = new ArrayList<>();
        for (SlotReference column : outer) {
            keys.add(copy.output().get(outerPlan.output().indexOf(column)));
        }
        Plan distinct = new LogicalAggregate(keys, List.of(), copy);
        return new Part(distinct, distinct.output(), List.of());
    }

    private boolean isDependent(Plan plan) {
        return Correlation.free(plan).stream().anyMatch(outer::contains);
    }

    private Expr over(Expr expression, List<SlotReference> keys) {
        Map<ExprId, SlotReference> columns = new HashMap<>();
        for (int i = 0; i < outer.size(); i++) {
            columns.put(outer.get(i).id(), keys.get(i));
        }
        return PlanCopy.substitute(expression, columns, context.ids());
    }

    private List<Expr> over(List<Expr> expressions, List<SlotReference> keys) {
        return expressions.stream().map(expression -> over(expression, keys)).toList();
    }

    private Part push(Plan plan) {
        if (!isDependent(plan)) {
            Part domain = domain();
            return new Part(
                    new LogicalJoin(JoinKind.INNER, List.of(), domain.plan(), plan), domain.keys(), plan.output());
        }
        if (plan instanceof LogicalFilter filter) {
            Part child = push(filter.child());
            return new Part(
                    new LogicalFilter(over(filter.conditions(), child.keys()), child.plan()),
                    child.keys(),
                    child.output());
        }
        if (plan instanceof LogicalProject project) {
            return project(project);
        }
        if (plan instanceof LogicalAggregate aggregate) {
            return aggregate(aggregate);
        }
        if (plan instanceof LogicalJoin join) {
            return join(join);
        }
        if (plan instanceof LogicalSort sort) {
            return push(sort.child());
        }
        if (plan instanceof LogicalTopN top) {
            return firstRows(top.keys(), top.limit(), top.offset(), top.child());
        }
        if (plan instanceof LogicalLimit limit) {
            return limit(limit);
        }
        if (plan instanceof LogicalWindow window) {
            return window(window);
        }
        if (plan instanceof LogicalUnion union) {
            return union(union);
        }
        if (plan instanceof LogicalRepeat repeat) {
            Part child = push(repeat.child());
            Plan repeated = repeat.withChild(child.plan());
            List<SlotReference> output = new ArrayList<>(child.output());
            output.add(repeat.groupingId());
            return new Part(repeated, child.keys(), output);
        }
        throw ThetisException.notSupported("correlation through " + plan.nodeName());
    }

    private Part project(LogicalProject project) {
        Part child = push(project.child());
        List<NamedExpr> items = new ArrayList<>();
        for (NamedExpr item : project.items()) {
            items.add((NamedExpr) over(item, child.keys()));
        }
        List<SlotReference> output = items.stream().map(NamedExpr::toSlot).toList();
        List<NamedExpr> all = new ArrayList<>(new LinkedHashSet<>(items));
        child.keys().stream().filter(key -> !all.contains(key)).forEach(all::add);
        return new Part(new LogicalProject(all, child.plan()), child.keys(), output);
    }

    private Part aggregate(LogicalAggregate aggregate) {
        Part child = push(aggregate.child());
        List<NamedExpr> keys = new ArrayList<>();
        for (NamedExpr key : aggregate.keys()) {
            keys.add((NamedExpr) over(key, child.keys()));
        }
        List<SlotReference> output = new ArrayList<>();
        keys.forEach(key -> output.add(key.toSlot()));
        child.keys().stream().filter(key -> !keys.contains(key)).forEach(keys::add);
        List<Alias> calls = new ArrayList<>();
        aggregate.calls().forEach(call -> calls.add((Alias) over(call, child.keys())));
        if (aggregate.keys().isEmpty()) {
            return withEmptyGroups(keys, calls, child);
        }
        calls.forEach(call -> output.add(call.toSlot()));
        return new Part(new LogicalAggregate(keys, calls, child.plan()), child.keys(), output);
    }

    /** An aggregate without keys has a result for no rows too: the domain is joined once more. */
    private Part withEmptyGroups(List<NamedExpr> keys, List<Alias> calls, Part child) {
        List<Alias> inner = new ArrayList<>();
        calls.forEach(call -> inner.add(new Alias(context.ids().next(), call.name(), call.child())));
        Plan grouped = new LogicalAggregate(keys, inner, child.plan());
        Part domain = domain();
        List<Expr> conditions = new ArrayList<>();
        tie(conditions, domain.keys(), child.keys());
        Plan joined = new LogicalJoin(JoinKind.LEFT_OUTER, conditions, domain.plan(), grouped);
        List<NamedExpr> items = new ArrayList<>(domain.keys());
        List<SlotReference> output = new ArrayList<>();
        for (int i = 0; i < calls.size(); i++) {
            SlotReference slot = inner.get(i).toSlot().withNullable(true);
            Alias call = calls.get(i);
            Alias value = new Alias(
                    call.id(), call.name(), valueOrZero(LogicalAggregate.function(call), slot), call.qualifier());
            items.add(value);
            output.add(value.toSlot());
        }
        return new Part(new LogicalProject(items, joined), domain.keys(), output);
    }

    /** The aggregate's column after an outer join: what it is for no rows where there was no group. */
    static Expr valueOrZero(AggregateCall function, SlotReference slot) {
        boolean zero = function.nulls() == NullMode.NEVER && function.type().isInteger();
        return zero
                ? new CaseWhen(List.of(Calls.isNull(slot)), List.of(new Literal(0L, slot.type())), slot, slot.type())
                : slot;
    }

    private Part join(LogicalJoin join) {
        JoinKind kind = join.kind();
        boolean left = isDependent(join.left());
        boolean right = isDependent(join.right());
        boolean keysFromRight = kind == JoinKind.RIGHT_OUTER
                || kind == JoinKind.RIGHT_SEMI
                || kind == JoinKind.RIGHT_ANTI
                || kind == JoinKind.INNER && right && !left;
        if (kind == JoinKind.FULL_OUTER || kind == JoinKind.NULL_AWARE_LEFT_ANTI && right) {
            throw ThetisException.notSupported("correlation through " + kind.text());
        }
        Plan leftPlan = join.left();
        Plan rightPlan = join.right();
        List<Expr> conditions = new ArrayList<>();
        List<SlotReference> output = new ArrayList<>();
        List<SlotReference> keys;
        List<SlotReference> leftOutput = leftPlan.output();
        List<SlotReference> rightOutput = rightPlan.output();
        if (keysFromRight) {
            Part part = push(rightPlan);
            keys = part.keys();
            rightPlan = part.plan();
            rightOutput = part.output();
            if (left) {
                Part other = push(leftPlan);
                leftPlan = other.plan();
                leftOutput = other.output();
                tie(conditions, keys, other.keys());
            }
        } else {
            Part part = push(leftPlan);
            keys = part.keys();
            leftPlan = part.plan();
            leftOutput = part.output();
            if (right) {
                Part other = push(rightPlan);
                rightPlan = other.plan();
                rightOutput = other.output();
                tie(conditions, keys, other.keys());
            }
        }
        conditions.addAll(0, over(join.conditions(), keys));
        LogicalJoin joined = new LogicalJoin(kind, conditions, join.hint(), leftPlan, rightPlan);
        if (kind.keepsLeft()) {
            leftOutput.forEach(slot -> output.add(kind.padsLeft() ? slot.withNullable(true) : slot));
        }
        if (kind.keepsRight()) {
            rightOutput.forEach(slot -> output.add(kind.padsRight() ? slot.withNullable(true) : slot));
        }
        return new Part(joined, keys, output);
    }

    private static void tie(List<Expr> conditions, List<SlotReference> keys, List<SlotReference> others) {
        for (int i = 0; i < keys.size(); i++) {
            conditions.add(same(keys.get(i), others.get(i)));
        }
    }

    private Part limit(LogicalLimit limit) {
        if (limit.child() instanceof LogicalProject project && project.child() instanceof LogicalSort) {
            return push(project.withChild(new LogicalLimit(limit.limit(), limit.offset(), project.child())));
        }
        return limit.child() instanceof LogicalSort sort
                ? firstRows(sort.keys(), limit.limit(), limit.offset(), sort.child())
                : firstRows(List.of(), limit.limit(), limit.offset(), limit.child());
    }

    private Part firstRows(List<SortKey> keys, long limit, long offset, Plan input) {
        Part child = push(input);
        List<SortKey> order = keys.stream()
                .map(key -> key.withExpression(over(key.expression(), child.keys())))
                .toList();
        WindowCall number =
                new WindowCall("row_number", List.of(), List.copyOf(child.keys()), order, null, DataType.BIGINT, false);
        Alias row = context.alias("row_number", number);
        List<Expr> range = new ArrayList<>();
        if (limit >= 0 && limit <= Long.MAX_VALUE - offset) {
            range.add(Calls.compare("le", row.toSlot(), Literal.bigint(limit + offset)));
        }
        if (offset > 0) {
            range.add(Calls.compare("gt", row.toSlot(), Literal.bigint(offset)));
        }
        Plan plan = range.isEmpty()
                ? child.plan()
                : new LogicalFilter(range, new LogicalWindow(List.of(row), child.plan()));
        return new Part(plan, child.keys(), child.output());
    }

    private Part window(LogicalWindow window) {
        Part child = push(window.child());
        List<Alias> calls = new ArrayList<>();
        List<SlotReference> output = new ArrayList<>(child.output());
        for (Alias alias : window.calls()) {
            WindowCall call = (WindowCall) over(alias.child(), child.keys());
            List<Expr> partition = new ArrayList<>(call.partitionBy());
            partition.addAll(child.keys());
            WindowCall apart = new WindowCall(
                    call.name(),
                    call.arguments(),
                    partition,
                    call.orderBy(),
                    call.frame(),
                    call.type(),
                    call.nullable());
            Alias kept = new Alias(alias.id(), alias.name(), apart, alias.qualifier());
            calls.add(kept);
            output.add(kept.toSlot());
        }
        return new Part(new LogicalWindow(calls, child.plan()), child.keys(), output);
    }

    private Part union(LogicalUnion union) {
        List<Plan> inputs = new ArrayList<>();
        List<SlotReference> firstKeys = List.of();
        for (Plan input : union.children()) {
            Part part = push(input);
            List<NamedExpr> items = new ArrayList<>();
            for (SlotReference column : part.output()) {
                items.add(context.alias(column.name(), column));
            }
            for (SlotReference key : part.keys()) {
                items.add(context.alias(key.name(), key));
            }
            inputs.add(new LogicalProject(items, part.plan()));
            firstKeys = firstKeys.isEmpty() ? part.keys() : firstKeys;
        }
        List<SlotReference> keys = new ArrayList<>();
        for (SlotReference key : firstKeys) {
            keys.add(context.alias(key.name(), key).toSlot());
        }
        List<SlotReference> output = new ArrayList<>(union.output());
        output.addAll(keys);
        return new Part(new LogicalUnion(output, inputs), keys, union.output());
    }
}
