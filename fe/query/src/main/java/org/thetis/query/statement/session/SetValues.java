// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.session;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.SourcePosition;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.type.DataType;
import org.thetis.query.result.QueryRunner;
import org.thetis.query.result.StatementResult;
import org.thetis.query.result.TextRows;
import org.thetis.query.schedule.QueryCounters;
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
        String computed = literal(value, context).text();
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
        if (value instanceof Expression.FunctionCall call && isConcat(call)) {
            return concat(call, context);
        }
        SourcePosition position = value.position();
        QueryBody.Select select = new QueryBody.Select(
                position,
                List.of(),
                false,
                List.of(new SelectItem.Single(value, null, "value")),
                null,
                null,
                null,
                null,
                null);
        QueryStatement query = new QueryStatement(new Query(position, List.of(), select, List.of(), null), null);
        PlannedQuery plan = queries.plan(query, context);
        if (plan.constantRows().isPresent()) {
            return single(plan.constantRows().get(), position);
        }
        return fromBackend(query, plan, context, position);
    }

    /** Evaluates on a back end what the planner cannot. */
    private Literal fromBackend(
            QueryStatement query, PlannedQuery plan, StatementContext context, SourcePosition position) {
        if (!(queries.run(query, context, new QueryCounters()) instanceof StatementResult.Streamed streamed)) {
            throw new ThetisException(ErrorCode.INTERNAL, "a query that needs a back end gave held rows", position);
        }
        Duration deadline = Duration.ofSeconds(context.settings().queryTimeout());
        List<List<@Nullable String>> rows = TextRows.readAll(streamed.stream(), 1, 2, deadline);
        if (rows.size() != 1) {
            throw new ThetisException(
                    ErrorCode.SUBQUERY_ROWS, "the value of SET must be one row, not " + rows.size(), position);
        }
        String text = rows.get(0).get(0);
        DataType type = plan.outputs().get(0).type();
        return text == null
                ? Literal.nullOf(type)
                : type.isInteger() ? Literal.integer(new BigInteger(text)) : Literal.string(text);
    }

    private static Literal single(List<List<Literal>> rows, SourcePosition position) {
        if (rows.size() != 1) {
            throw new ThetisException(
                    ErrorCode.SUBQUERY_ROWS, "the value of SET must be one row, not " + rows.size(), position);
        }
        return rows.get(0).get(0);
    }

    /** Drivers extend sql_mode with concat() when they connect, which must not depend on a back end. */
    private static boolean isConcat(Expression.FunctionCall call) {
        return call.name().size() == 1 && call.name().get(0).equalsIgnoreCase("concat") && call.window() == null;
    }

    private Literal concat(Expression.FunctionCall call, StatementContext context) {
        StringBuilder text = new StringBuilder();
        for (Expression argument : call.arguments()) {
            String part = literal(argument, context).text();
            if (part == null) {
                return Literal.nullOf(DataType.VARCHAR);
            }
            text.append(part);
        }
        return Literal.string(text.toString());
    }
}
