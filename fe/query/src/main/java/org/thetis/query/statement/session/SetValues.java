// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.session;

import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.SourcePosition;
import org.thetis.base.error.ThetisException;
import org.thetis.query.result.QueryRunner;
import org.thetis.query.session.StatementContext;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.Query;
import org.thetis.sql.ast.QueryBody;
import org.thetis.sql.ast.QueryStatement;
import org.thetis.sql.ast.SelectItem;
import org.thetis.sql.ast.UnaryOperator;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.lower.PlannedQuery;

/** Computes the right side of SET: literals and bare words directly, other constant expressions through the planner. */
final class SetValues {
    private final QueryRunner queries;

    SetValues(QueryRunner queries) {
        this.queries = queries;
    }

    /** The text a system variable gets; a bare word such as ON means itself. */
    String text(Expression value, StatementContext context) {
        if (value instanceof Expression.ColumnReference word && word.parts().size() == 1) {
            return word.parts().get(0);
        }
        if (value instanceof Expression.StringLiteral literal) {
            return literal.value();
        }
        if (value instanceof Expression.IntegerLiteral literal) {
            return literal.value().toString();
        }
        if (value instanceof Expression.DecimalLiteral literal) {
            return literal.text();
        }
        if (value instanceof Expression.BooleanLiteral literal) {
            return Boolean.toString(literal.value());
        }
        if (value instanceof Expression.Unary unary && unary.operator() == UnaryOperator.NEGATE) {
            return "-" + text(unary.operand(), context);
        }
        @Nullable String computed = literal(value, context).text();
        return computed == null ? "" : computed;
    }

    /** The value of a constant expression. */
    Literal literal(Expression value, StatementContext context) {
        if (value instanceof Expression.StringLiteral literal) {
            return Literal.string(literal.value());
        }
        if (value instanceof Expression.IntegerLiteral literal) {
            return Literal.integer(literal.value());
        }
        if (value instanceof Expression.DecimalLiteral literal) {
            return Literal.decimal(new BigDecimal(literal.text()));
        }
        if (value instanceof Expression.NullLiteral) {
            return Literal.untypedNull();
        }
        SourcePosition position = value.position();
        QueryBody.Select select = new QueryBody.Select(
                position, List.of(), false, List.of(new SelectItem.Single(value, null, "value")), null, null, null, null, null);
        PlannedQuery plan =
                queries.plan(new QueryStatement(new Query(position, List.of(), select, List.of(), null), null), context);
        return plan.constantRows()
                .filter(rows -> rows.size() == 1)
                .map(rows -> rows.get(0).get(0))
                .orElseThrow(() -> new ThetisException(
                        ErrorCode.NOT_SUPPORTED, "SET to an expression that needs a back end is not supported", position));
    }
}
