// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.normalize;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
import org.thetis.sql.expr.NullMode;
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
        Correlation.Pulled pulled = Correlation.pullForExistence((Plan) subquery.plan(), context);
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

    /** The expression with columns in place of its subqueries. */
    Expr replace(Expr expression) {
        return expression.rewrite(node -> {
            if (!(node instanceof Subquery subquery)) {
                return node;
            }
            return switch (subquery.kind()) {
                case SCALAR -> scalar(subquery);
                case EXISTS -> negate(exists(subquery), subquery.negated());
                case IN -> negate(in(subquery), subquery.negated());
            };
        });
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
        Correlation.Pulled pulled = Correlation.pull(aggregate, context);
        plan = new LogicalJoin(JoinKind.LEFT_OUTER, pulled.conditions(), plan, pulled.plan());
        for (Alias call : aggregate.calls()) {
            AggregateCall function = LogicalAggregate.function(call);
            SlotReference slot = call.toSlot().withNullable(true);
            boolean zero = function.nulls() == NullMode.NEVER && function.type().isInteger();
            definitions.put(
                    call.id(),
                    zero
                            ? new CaseWhen(
                                    List.of(Calls.isNull(slot)),
                                    List.of(new Literal(0L, slot.type())),
                                    slot,
                                    slot.type())
                            : slot);
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
        Correlation.Pulled pulled = Correlation.pull(new LogicalAggregate(List.of(), calls, inner), context);
        plan = new LogicalJoin(JoinKind.LEFT_OUTER, pulled.conditions(), plan, pulled.plan());
        SlotReference numRows = rows.toSlot().withNullable(true);
        Expr single = Substitution.inline(value, definitions);
        Expr present = new CaseWhen(List.of(Calls.isNotNull(numRows)), List.of(single), null, single.type());
        return context.functions().scalar("single_row_value", List.of(numRows, present));
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
        Correlation.Pulled pulled = Correlation.pullForExistence((Plan) subquery.plan(), context);
        if (pulled.conditions().isEmpty()) {
            Alias rows = context.alias("rows", count(List.of()));
            Plan counted = new LogicalAggregate(List.of(), List.of(rows), new LogicalLimit(1, 0, pulled.plan()));
            plan = new LogicalJoin(JoinKind.INNER, List.of(), plan, counted);
            return Calls.compare("gt", rows.toSlot(), Literal.bigint(0));
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
        if (!Correlation.areEqualities(conditions, inner)) {
            throw ThetisException.notSupported("subquery correlated by other than equality outside of AND");
        }
        plan = new LogicalJoin(JoinKind.LEFT_OUTER, conditions, plan, new LogicalProject(items, distinct));
        return mark.toSlot().withNullable(true);
    }

    private Expr in(Subquery subquery) {
        Correlation.Pulled pulled = Correlation.pullForExistence((Plan) subquery.plan(), context);
        Expr value = requireValue(subquery);
        SlotReference column = pulled.plan().output().get(0);
        boolean certain = !value.nullable() && !column.nullable();
        Expr found = Calls.isNotNull(mark(pulled, List.of(Calls.eq(value, column))));
        if (certain) {
            return found;
        }
        if (!pulled.conditions().isEmpty()) {
            throw ThetisException.notSupported("correlated IN over columns that may be NULL outside of AND");
        }
        Plan again = Correlation.refresh(pulled.plan(), context.ids());
        Alias rows = context.alias("rows", count(List.of()));
        Alias values = context.alias("values", count(List.of(again.output().get(0))));
        plan = new LogicalJoin(
                JoinKind.INNER, List.of(), plan, new LogicalAggregate(List.of(), List.of(rows, values), again));
        Expr empty = Calls.eq(rows.toSlot(), Literal.bigint(0));
        Expr unknown = new Connective(
                false, List.of(Calls.isNull(value), Calls.compare("lt", values.toSlot(), rows.toSlot())));
        return new CaseWhen(
                List.of(found, empty, unknown),
                List.of(Literal.of(true), Literal.of(false), Literal.nullOf(DataType.BOOLEAN)),
                Literal.of(false),
                DataType.BOOLEAN);
    }
}
