// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.util.ArrayList;
import java.util.List;
import org.thetis.base.error.ErrorCode;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.ast.ComparisonOperator;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.Query;
import org.thetis.sql.expr.AggregateCall;
import org.thetis.sql.expr.Alias;
import org.thetis.sql.expr.CaseWhen;
import org.thetis.sql.expr.Connective;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.expr.Subquery;
import org.thetis.sql.functions.Calls;
import org.thetis.sql.functions.Coercion;
import org.thetis.sql.plan.LogicalAggregate;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.LogicalPlan;

/** Binds queries that stand in expressions: scalar ones, EXISTS, IN of values and rows, comparisons with ANY and ALL. */
final class SubqueryBinder {
    private final BindContext context;
    private final ExprBinder binder;
    private final QueryBinder queries;

    SubqueryBinder(BindContext context, ExprBinder binder, QueryBinder queries) {
        this.context = context;
        this.binder = binder;
        this.queries = queries;
    }

    Expr bind(Expression expression) {
        if (expression instanceof Expression.ScalarSubquery scalar) {
            LogicalPlan plan = plan(scalar.query());
            requireColumns(1, plan, expression);
            return new Subquery(Subquery.Kind.SCALAR, null, plan, false);
        }
        if (expression instanceof Expression.Exists exists) {
            return new Subquery(Subquery.Kind.EXISTS, null, plan(exists.query()), false);
        }
        if (expression instanceof Expression.InSubquery in) {
            return in.value() instanceof Expression.StructLiteral row
                    ? rowIn(in, binder.bindAll(row.fields()))
                    : in(in);
        }
        if (expression instanceof Expression.Quantified quantified) {
            return quantified(quantified);
        }
        if (expression instanceof Expression.UserVariableAssignment) {
            throw Errors.notSupported("assigning a user variable in an expression", expression.position());
        }
        throw Errors.notSupported("expression of kind " + expression.getClass().getSimpleName(), expression.position());
    }

    private LogicalPlan plan(Query query) {
        return queries.bindNested(query, binder.scope());
    }

    private static void requireColumns(int count, LogicalPlan plan, Expression expression) {
        if (plan.output().size() != count) {
            throw Errors.at(
                    ErrorCode.OPERAND_COLUMNS,
                    "Operand should contain " + count + " column(s), the subquery has "
                            + plan.output().size(),
                    expression.position());
        }
    }

    private Expr in(Expression.InSubquery in) {
        LogicalPlan plan = plan(in.query());
        requireColumns(1, plan, in);
        Expr value = binder.bind(in.value());
        Coercion.Pair pair = Coercion.comparison(value, plan.output().get(0));
        LogicalPlan converted =
                pair.right().equals(plan.output().get(0)) ? plan : queries.project(plan, List.of(pair.right()));
        return new Subquery(Subquery.Kind.IN, pair.left(), converted, in.negated());
    }

    /**
     * A row is in the query when some row of it is equal; it is unknown whether it is when none is equal and some could be, because of
     * NULLs.
     */
    private Expr rowIn(Expression.InSubquery in, List<Expr> row) {
        if (row.stream().anyMatch(value -> value.anyMatch(AggregateCall.class::isInstance))) {
            throw Errors.notSupported("aggregate functions in a row before IN (subquery)", in.position());
        }
        LogicalPlan plan = plan(in.query());
        requireColumns(row.size(), plan, in);
        List<Expr> equal = new ArrayList<>();
        boolean certain = true;
        for (int i = 0; i < row.size(); i++) {
            SlotReference column = plan.output().get(i);
            equal.add(ExprBinder.compare("eq", row.get(i), column));
            certain &= !row.get(i).nullable() && !column.nullable();
        }
        Expr found = new Subquery(Subquery.Kind.EXISTS, null, new LogicalFilter(equal, plan), false);
        if (!certain) {
            LogicalPlan again = plan(in.query());
            List<Expr> possible = new ArrayList<>();
            for (int i = 0; i < row.size(); i++) {
                SlotReference column = again.output().get(i);
                possible.add(new Connective(
                        false,
                        List.of(
                                ExprBinder.compare("eq", row.get(i), column),
                                Calls.isNull(row.get(i)),
                                Calls.isNull(column))));
            }
            Expr candidate = new Subquery(Subquery.Kind.EXISTS, null, new LogicalFilter(possible, again), false);
            found = new CaseWhen(
                    List.of(found, candidate),
                    List.of(Literal.of(true), Literal.nullOf(DataType.BOOLEAN)),
                    Literal.of(false),
                    DataType.BOOLEAN);
        }
        return in.negated() ? Calls.not(found) : found;
    }

    /**
     * A comparison with ANY or ALL rows is one with the smallest or the largest of them. ALL holds for no rows, ANY does not; a NULL
     * among the rows makes unknown what the others do not decide.
     */
    private Expr quantified(Expression.Quantified quantified) {
        Expr value = binder.bind(quantified.value());
        boolean all = quantified.all();
        ComparisonOperator operator = quantified.operator();
        String comparison = ExprBinder.comparisonName(operator);
        Expr decisive =
                switch (operator) {
                    case GREATER, GREATER_OR_EQUAL -> compare(comparison, value, all ? "max" : "min", quantified);
                    case LESS, LESS_OR_EQUAL -> compare(comparison, value, all ? "min" : "max", quantified);
                    case EQUAL, NOT_EQUAL ->
                        // = ALL needs both ends equal, <> ANY one end different.
                        new Connective(
                                all,
                                List.of(
                                        compare(comparison, value, "min", quantified),
                                        compare(comparison, value, "max", quantified)));
                    case NULL_SAFE_EQUAL -> throw Errors.notSupported("<=> with ANY or ALL", quantified.position());
                };
        LogicalPlan plan = plan(quantified.query());
        requireColumns(1, plan, quantified);
        Expr numRows = scalar(plan, "count", List.of());
        Expr empty = Calls.eq(numRows, Literal.bigint(0));
        Expr decided = all ? Calls.not(decisive) : decisive;
        List<Expr> conditions = new ArrayList<>(List.of(empty, decided));
        List<Expr> results = new ArrayList<>(List.of(Literal.of(all), Literal.of(!all)));
        if (plan.output().get(0).nullable()) {
            LogicalPlan again = plan(quantified.query());
            conditions.add(Calls.compare(
                    "lt", scalar(again, "count", List.of(again.output().get(0))), numRows));
            results.add(Literal.nullOf(DataType.BOOLEAN));
        }
        return new CaseWhen(conditions, results, decisive, DataType.BOOLEAN);
    }

    private Expr compare(String comparison, Expr value, String function, Expression.Quantified quantified) {
        LogicalPlan plan = plan(quantified.query());
        requireColumns(1, plan, quantified);
        return ExprBinder.compare(
                comparison, value, scalar(plan, function, List.of(plan.output().get(0))));
    }

    private Expr scalar(LogicalPlan plan, String function, List<Expr> arguments) {
        AggregateCall call = context.functions().aggregate(function, arguments, false, List.of());
        Alias alias = new Alias(context.ids().next(), call.sql(), call);
        return new Subquery(Subquery.Kind.SCALAR, null, new LogicalAggregate(List.of(), List.of(alias), plan), false);
    }
}
