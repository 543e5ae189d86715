// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.util.ArrayList;
import java.util.List;
import org.thetis.base.error.SourcePosition;
import org.thetis.sql.ast.ArithmeticOperator;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.expr.Expr;

/** Functions that are other expressions in disguise. */
final class CallRewrites {
    private CallRewrites() {}

    /** decode(x, a, b, c, d, e): b where x is a, d where it is c, else e; NULL is NULL. */
    static Expr decode(Expression.FunctionCall call, ExprBinder binder) {
        List<Expr> values = binder.bindAll(call.arguments());
        List<Expr> conditions = new ArrayList<>();
        List<Expr> results = new ArrayList<>();
        int pairs = (values.size() - 1) / 2;
        for (int i = 0; i < pairs; i++) {
            conditions.add(ExprBinder.compare("eq_for_null", values.get(0), values.get(1 + 2 * i)));
            results.add(values.get(2 + 2 * i));
        }
        return ExprBinder.caseOf(conditions, results, values.size() % 2 == 0 ? values.get(values.size() - 1) : null);
    }

    /** regr_slope(y, x) = covar_pop(y, x) / var_pop(x), over rows where both have values. */
    static Expression regressionSlope(Expression.FunctionCall call) {
        SourcePosition position = call.position();
        Expression y = call.arguments().get(0);
        Expression x = call.arguments().get(1);
        return new Expression.Arithmetic(
                position,
                ArithmeticOperator.DIVIDE,
                plain(position, "covar_pop", y, x),
                plain(position, "var_pop", where(position, y, x)));
    }

    /** regr_intercept(y, x) = avg(y) - regr_slope(y, x) * avg(x), over rows where both have values. */
    static Expression regressionIntercept(Expression.FunctionCall call) {
        SourcePosition position = call.position();
        Expression y = call.arguments().get(0);
        Expression x = call.arguments().get(1);
        Expression rise = new Expression.Arithmetic(
                position,
                ArithmeticOperator.MULTIPLY,
                regressionSlope(call),
                plain(position, "avg", where(position, y, x)));
        return new Expression.Arithmetic(
                position, ArithmeticOperator.SUBTRACT, plain(position, "avg", where(position, x, y)), rise);
    }

    /** The value in rows where the other one is there. */
    private static Expression where(SourcePosition position, Expression other, Expression value) {
        return plain(
                position,
                "if",
                new Expression.IsNull(position, false, other),
                new Expression.NullLiteral(position),
                value);
    }

    private static Expression plain(SourcePosition position, String name, Expression... arguments) {
        return new Expression.FunctionCall(position, List.of(name), false, List.of(arguments), List.of(), null, null);
    }
}
