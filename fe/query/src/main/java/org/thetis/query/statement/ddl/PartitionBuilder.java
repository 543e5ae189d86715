// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.ddl;

import java.util.ArrayList;
import java.util.List;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.schema.BoundValue;
import org.thetis.catalog.schema.PartitionDefinition;
import org.thetis.catalog.schema.PartitionKind;
import org.thetis.catalog.schema.PartitionSpec;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.UnaryOperator;
import org.thetis.sql.ast.ddl.PartitionClause;
import org.thetis.sql.ast.ddl.PartitionValue;

/** Turns PARTITION clauses as written into definitions the catalog completes. */
final class PartitionBuilder {
    private PartitionBuilder() {}

    static PartitionSpec spec(PartitionClause clause) {
        if (clause.automatic()) {
            throw ThetisException.notSupported("AUTO PARTITION");
        }
        List<String> columns = new ArrayList<>();
        for (Expression expression : clause.expressions()) {
            if (!(expression instanceof Expression.ColumnReference column)
                    || column.parts().size() != 1) {
                throw new ThetisException(
                        ErrorCode.NOT_SUPPORTED,
                        "partitioning by an expression is not supported",
                        expression.position());
            }
            columns.add(column.parts().get(0));
        }
        return new PartitionSpec(clause.list() ? PartitionKind.LIST : PartitionKind.RANGE, columns);
    }

    static PartitionDefinition definition(org.thetis.sql.ast.ddl.PartitionDefinition written) {
        if (written instanceof org.thetis.sql.ast.ddl.PartitionDefinition.LessThan lessThan) {
            // A bare MAXVALUE arrives without values; it bounds the first column, and the rest follow.
            List<BoundValue> upper =
                    lessThan.values().isEmpty() ? List.of(BoundValue.MAXVALUE) : bounds(lessThan.values());
            return new PartitionDefinition.LessThan(
                    lessThan.name(), lessThan.ifNotExists(), upper, lessThan.properties());
        }
        if (written instanceof org.thetis.sql.ast.ddl.PartitionDefinition.FixedRange range) {
            return new PartitionDefinition.FixedRange(
                    range.name(), range.ifNotExists(), bounds(range.low()), bounds(range.high()), range.properties());
        }
        if (written instanceof org.thetis.sql.ast.ddl.PartitionDefinition.InValues in) {
            return new PartitionDefinition.InValues(
                    in.name(),
                    in.ifNotExists(),
                    in.rows().stream().map(PartitionBuilder::bounds).toList(),
                    in.properties());
        }
        if (written instanceof org.thetis.sql.ast.ddl.PartitionDefinition.Batch batch) {
            if (batch.low().size() != 1 || batch.high().size() != 1) {
                throw new ThetisException(
                        ErrorCode.ANALYSIS, "FROM ... TO ... INTERVAL takes one value on each side", batch.position());
            }
            return new PartitionDefinition.Interval(
                    bound(batch.low().get(0)),
                    bound(batch.high().get(0)),
                    batch.interval(),
                    batch.unit(),
                    batch.properties());
        }
        throw ThetisException.notSupported("a partition without values");
    }

    private static List<BoundValue> bounds(List<PartitionValue> values) {
        return values.stream().map(PartitionBuilder::bound).toList();
    }

    private static BoundValue bound(PartitionValue value) {
        Expression expression = value.value();
        return expression == null ? BoundValue.MAXVALUE : literal(expression);
    }

    private static BoundValue literal(Expression expression) {
        if (expression instanceof Expression.NullLiteral) {
            return BoundValue.NULL;
        }
        return BoundValue.of(text(expression));
    }

    private static String text(Expression expression) {
        if (expression instanceof Expression.StringLiteral literal) {
            return literal.value();
        }
        if (expression instanceof Expression.IntegerLiteral literal) {
            return literal.value().toString();
        }
        if (expression instanceof Expression.TypedLiteral literal) {
            return literal.text();
        }
        if (expression instanceof Expression.BooleanLiteral literal) {
            return literal.value() ? "1" : "0";
        }
        if (expression instanceof Expression.Unary unary && unary.operator() == UnaryOperator.NEGATE) {
            return "-" + text(unary.operand());
        }
        throw new ThetisException(ErrorCode.ANALYSIS, "a partition bound must be a literal", expression.position());
    }
}
