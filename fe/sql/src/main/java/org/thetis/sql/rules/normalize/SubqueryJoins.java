// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.normalize;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.expr.AggregateCall;
import org.thetis.sql.expr.Alias;
import org.thetis.sql.expr.CaseWhen;
import org.thetis.sql.expr.Connective;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.ExprId;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.expr.Subquery;
import org.thetis.sql.functions.Calls;
import org.thetis.sql.plan.JoinKind;
import org.thetis.sql.plan.LogicalAggregate;
import org.thetis.sql.plan.LogicalAssertRows;
import org.thetis.sql.plan.LogicalJoin;
import org.thetis.sql.plan.LogicalLimit;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.RuleContext;
import org.thetis.sql.rules.Substitution;

/** Grows a plan by joins with subqueries, so that expressions can name columns in place of the subqueries. Used once. */
final class SubqueryJoins {
    private final RuleContext context;
    private final Map<Subquery, Expr> replaced = new HashMap<>();
    private Plan plan;

    SubqueryJoins(RuleContext context, Plan plan) {
        this.context = context;
        this.plan = plan;
    }

    Plan plan() {
        return plan;
    }

    /** Keeps the rows for which the EXISTS or IN holds, by a semi or anti join. */
    void addCondition(Subquery subquery) {
        Correlation.Pulled pulled = pull(subquery);
        List<Expr> conditions = new ArrayList<>(pulled.conditions());
        if (subquery.kind() == Subquery.Kind.EXISTS) {
            Plan right = conditions.isEmpty() ? new LogicalLimit(1, 0, pulled.plan()) : pulled.plan();
            plan = new LogicalJoin(
                    subquery.negated() ? JoinKind.LEFT_ANTI : JoinKind.LEFT_SEMI, conditions, plan, right);
            return;
        }
        Expr value = requireValue(subquery);
        SlotReference column = pulled.plan().output().get(0);
        Expr equality = Calls.eq(value, column);
        if (!subquery.negated()) {
            conditions.add(equality);
            plan = new LogicalJoin(JoinKind.LEFT_SEMI, conditions, plan, pulled.plan());
        } else if (!value.nullable() && !column.nullable()) {
            conditions.add(equality);
            plan = new LogicalJoin(JoinKind.LEFT_ANTI, conditions, plan, pulled.plan());
        } else if (conditions.isEmpty()) {
            plan = new LogicalJoin(JoinKind.NULL_AWARE_LEFT_ANTI, List.of(equality), plan, pulled.plan());
        } else {
            // NOT IN holds when no row is equal and none is unknown.
            conditions.add(new Connective(false, List.of(equality, Calls.isNull(value), Calls.isNull(column))));
            plan = new LogicalJoin(JoinKind.LEFT_ANTI, conditions, plan, pulled.plan());
        }
    }

    /** The subquery's rows with the conditions that tie them to outer rows. */
    private Correlation.Pulled pull(Subquery subquery) {
        Plan inner = (Plan) subquery.plan();
        Optional<Correlation.Pulled> pulled = subquery.kind() == Subquery.Kind.EXISTS
                ? Correlation.pullForExistence(inner, context)
                : Correlation.pullRows(inner, context);
        return pulled.orElseGet(() -> DependentJoin.pull(inner, plan, context));
    }

    /** The expression with columns in place of its subqueries. */
    Expr replace(Expr expression) {
        return expression.rewrite(node -> {
            if (!(node instanceof Subquery subquery)) {
                return node;
            }
            // One subquery may stand in several places of an expression, as the value of BETWEEN does.
            Expr known = replaced.get(subquery);
            if (known == null) {
                known = join(subquery);
                replaced.put(subquery, known);
            }
            return known;
        });
    }

    private Expr join(Subquery subquery) {
        return switch (subquery.kind()) {
            case SCALAR -> scalar(subquery);
            case EXISTS -> negate(exists(subquery), subquery.negated());
            case IN -> negate(in(subquery), subquery.negated());
        };
    }

    private static Expr negate(Expr condition, boolean negated) {
        return negated ? Calls.not(condition) : condition;
    }

    private static Expr requireValue(Subquery subquery) {
        Expr value = subquery.value();
        if (value == null) {
            throw new ThetisException(ErrorCode.INTERNAL, "IN without a value");
        }
        return value;
    }

    private Expr scalar(Subquery subquery) {
        Plan inner = (Plan) subquery.plan();
        if (!Correlation.isCorrelated(inner)) {
            Plan single = givesOneRow(inner) ? inner : new LogicalAssertRows(inner);
            plan = new LogicalJoin(JoinKind.INNER, List.of(), plan, single);
            return single.output().get(0);
        }
        // The part above the aggregate is computed after the join, where a missing group can be told from a group.
        Expr value = inner.output().get(0);
        Map<ExprId, Expr> definitions = new HashMap<>();
        while (inner instanceof LogicalProject project) {
            value = Substitution.inline(value, Substitution.definitions(project.items()));
            inner = project.child();
        }
        if (!(inner instanceof LogicalAggregate aggregate) || !aggregate.keys().isEmpty()) {
            return plainScalar(value, inner);
        }
        Optional<Correlation.Pulled> groups = Correlation.pullGroups(aggregate, context);
        if (groups.isEmpty()) {
            Correlation.Pulled pulled = DependentJoin.pull(aggregate, plan, context);
            plan = new LogicalJoin(JoinKind.LEFT_OUTER, pulled.conditions(), plan, pulled.plan());
            for (int i = 0; i < aggregate.calls().size(); i++) {
                SlotReference slot = pulled.plan().output().get(i).withNullable(true);
                definitions.put(aggregate.calls().get(i).id(), slot);
            }
            return Substitution.inline(value, definitions);
        }
        plan = new LogicalJoin(
                JoinKind.LEFT_OUTER,
                groups.get().conditions(),
                plan,
                groups.get().plan());
        for (Alias call : aggregate.calls()) {
            SlotReference slot = call.toSlot().withNullable(true);
            definitions.put(call.id(), DependentJoin.valueOrZero(LogicalAggregate.function(call), slot));
        }
        return Substitution.inline(value, definitions);
    }

    /**
     * A correlated scalar subquery that does not aggregate: some value and the number of rows per outer row. One row is the value,
     * none is NULL, more are an error.
     */
    private Expr plainScalar(Expr value, Plan inner) {
        Map<ExprId, Expr> definitions = new HashMap<>();
        List<Alias> calls = new ArrayList<>();
        Alias rows = context.alias("rows", count(List.of()));
        calls.add(rows);
        var available = Substitution.outputSet(inner);
        for (SlotReference slot : value.slots()) {
            if (available.contains(slot)) {
                Alias any = context.alias(
                        slot.name(), context.functions().aggregate("any_value", List.of(slot), false, List.of()));
                calls.add(any);
                definitions.put(slot.id(), any.toSlot().withNullable(true));
            }
        }
        LogicalAggregate counted = new LogicalAggregate(List.of(), calls, inner);
        Correlation.Pulled pulled = Correlation.pullGroups(counted, context).orElse(null);
        if (pulled == null) {
            return countedRow(value, inner);
        }
        plan = new LogicalJoin(JoinKind.LEFT_OUTER, pulled.conditions(), plan, pulled.plan());
        SlotReference numRows = rows.toSlot().withNullable(true);
        Expr single = Substitution.inline(value, definitions);
        Expr present = new CaseWhen(List.of(Calls.isNotNull(numRows)), List.of(single), null, single.type());
        return context.functions().scalar("single_row_value", List.of(numRows, present));
    }

    /** The same when the correlation cannot be pulled up: rows are counted per combination of outer columns. */
    private Expr countedRow(Expr value, Plan inner) {
        Alias column = context.alias("value", value);
        Correlation.Pulled pulled = DependentJoin.pull(new LogicalProject(List.of(column), inner), plan, context);
        Plan rows = pulled.plan();
        List<SlotReference> keys = rows.output().subList(1, rows.output().size());
        Alias numRows = context.alias("rows", count(List.of()));
        SlotReference first = rows.output().get(0);
        Alias any = context.alias(
                first.name(), context.functions().aggregate("any_value", List.of(first), false, List.of()));
        Plan counted = new LogicalAggregate(List.copyOf(keys), List.of(numRows, any), rows);
        plan = new LogicalJoin(JoinKind.LEFT_OUTER, pulled.conditions(), plan, counted);
        return context.functions()
                .scalar(
                        "single_row_value",
                        List.of(
                                numRows.toSlot().withNullable(true),
                                any.toSlot().withNullable(true)));
    }

    private static boolean givesOneRow(Plan inner) {
        if (inner instanceof LogicalProject project) {
            return givesOneRow(project.child());
        }
        return inner instanceof LogicalAggregate aggregate && aggregate.keys().isEmpty()
                || inner instanceof org.thetis.sql.plan.LogicalValues values
                        && values.rows().size() == 1;
    }

    private AggregateCall count(List<Expr> arguments) {
        return context.functions().aggregate("count", arguments, false, List.of());
    }

    private Expr exists(Subquery subquery) {
        Correlation.Pulled pulled = pull(subquery);
        if (pulled.conditions().isEmpty()) {
            Alias rows = context.alias("rows", count(List.of()));
            Plan counted = new LogicalAggregate(List.of(), List.of(rows), new LogicalLimit(1, 0, pulled.plan()));
            plan = new LogicalJoin(JoinKind.INNER, List.of(), plan, counted);
            return Calls.compare("gt", rows.toSlot(), Literal.bigint(0));
        }
        if (!Correlation.areEqualities(pulled.conditions(), Substitution.outputSet(pulled.plan()))) {
            pulled = DependentJoin.pull((Plan) subquery.plan(), plan, context);
        }
        return Calls.isNotNull(mark(pulled, List.of()));
    }

    /** Left-joins the distinct keys of a subquery with a TRUE column, and returns that column: NULL where nothing matches. */
    private SlotReference mark(Correlation.Pulled pulled, List<Expr> moreConditions) {
        List<Expr> conditions = new ArrayList<>(pulled.conditions());
        conditions.addAll(moreConditions);
        List<NamedExpr> keys = new ArrayList<>();
        var inner = Substitution.outputSet(pulled.plan());
        for (Expr condition : conditions) {
            condition.slots().stream()
                    .filter(slot -> inner.contains(slot) && !keys.contains(slot))
                    .forEach(keys::add);
        }
        Plan distinct = new LogicalAggregate(keys, List.of(), pulled.plan());
        List<NamedExpr> items = new ArrayList<>(distinct.output());
        Alias mark = context.alias("mark", Literal.of(true));
        items.add(mark);
        plan = new LogicalJoin(JoinKind.LEFT_OUTER, conditions, plan, new LogicalProject(items, distinct));
        return mark.toSlot().withNullable(true);
    }

    private Expr in(Subquery subquery) {
        Plan inner = (Plan) subquery.plan();
        Correlation.Pulled pulled = pull(subquery);
        if (!Correlation.areEqualities(pulled.conditions(), Substitution.outputSet(pulled.plan()))) {
            pulled = DependentJoin.pull(inner, plan, context);
        }
        Expr value = requireValue(subquery);
        SlotReference column = pulled.plan().output().get(0);
        Plan before = plan;
        Expr found = Calls.isNotNull(mark(pulled, List.of(Calls.eq(value, column))));
        if (!value.nullable() && !column.nullable()) {
            return found;
        }
        return pulled.conditions().isEmpty()
                ? inAll(pulled.plan(), value, found)
                : inGroup(DependentJoin.pull(inner, before, context), value, found);
    }

    /** What is not found among rows that are the same for every outer row is unknown when it, or one of them, is NULL. */
    private Expr inAll(Plan rows, Expr value, Expr found) {
        Plan again = PlanCopy.copy(rows, context.ids());
        Alias numRows = context.alias("rows", count(List.of()));
        Alias numValues = context.alias("values", count(List.of(again.output().get(0))));
        plan = new LogicalJoin(
                JoinKind.INNER, List.of(), plan, new LogicalAggregate(List.of(), List.of(numRows, numValues), again));
        Expr empty = Calls.eq(numRows.toSlot(), Literal.bigint(0));
        return foundOr(found, empty, value, numValues.toSlot(), numRows.toSlot());
    }

    /** The same where every outer row has rows of its own. */
    private Expr inGroup(Correlation.Pulled pulled, Expr value, Expr found) {
        Plan rows = pulled.plan();
        List<SlotReference> keys = rows.output().subList(1, rows.output().size());
        Alias numRows = context.alias("rows", count(List.of()));
        Alias numValues = context.alias("values", count(List.of(rows.output().get(0))));
        Plan counted = new LogicalAggregate(List.copyOf(keys), List.of(numRows, numValues), rows);
        plan = new LogicalJoin(JoinKind.LEFT_OUTER, pulled.conditions(), plan, counted);
        SlotReference given = numRows.toSlot().withNullable(true);
        return foundOr(found, Calls.isNull(given), value, numValues.toSlot().withNullable(true), given);
    }

    private static Expr foundOr(Expr found, Expr empty, Expr value, SlotReference numValues, SlotReference numRows) {
        Expr unknown = new Connective(false, List.of(Calls.isNull(value), Calls.compare("lt", numValues, numRows)));
        return new CaseWhen(
                List.of(found, empty, unknown),
                List.of(Literal.of(true), Literal.of(false), Literal.nullOf(DataType.BOOLEAN)),
                Literal.of(false),
                DataType.BOOLEAN);
    }
}
