// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.text.NearestNames;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.Limit;
import org.thetis.sql.ast.SortItem;
import org.thetis.sql.ast.UnaryOperator;
import org.thetis.sql.ast.show.ShowFilter;

/**
 * Evaluates the filter of a SHOW over rows of text: comparisons, LIKE, IN, BETWEEN, IS NULL and connectives of column names and
 * literals. Values that both read as numbers compare as numbers, others as text without regard to case. UNKNOWN counts as false.
 */
final class RowFilter {
    private final ShowFilter filter;
    private final List<String> columns;
    private final int likeColumn;

    RowFilter(ShowFilter filter, List<String> columns, int likeColumn) {
        this.filter = filter;
        this.columns = columns;
        this.likeColumn = likeColumn;
    }

    List<List<@Nullable String>> apply(List<List<@Nullable String>> rows) {
        List<List<@Nullable String>> kept = new ArrayList<>();
        for (List<@Nullable String> row : rows) {
            if (passes(row)) {
                kept.add(row);
            }
        }
        sort(kept);
        return limit(kept);
    }

    private boolean passes(List<@Nullable String> row) {
        String pattern = filter.like();
        if (pattern != null) {
            String value = row.get(likeColumn);
            if (value == null || !LikePattern.matches(value, pattern)) {
                return false;
            }
        }
        Expression where = filter.where();
        return where == null || test(where, row);
    }

    private boolean test(Expression condition, List<@Nullable String> row) {
        if (condition instanceof Expression.Logical logical) {
            return switch (logical.operator()) {
                case AND -> logical.operands().stream().allMatch(operand -> test(operand, row));
                case OR -> logical.operands().stream().anyMatch(operand -> test(operand, row));
                case XOR ->
                    logical.operands().stream()
                                            .filter(operand -> test(operand, row))
                                            .count()
                                    % 2
                            == 1;
            };
        }
        if (condition instanceof Expression.Not not) {
            return !test(not.operand(), row);
        }
        if (condition instanceof Expression.Comparison comparison) {
            return compare(comparison, value(comparison.left(), row), value(comparison.right(), row));
        }
        if (condition instanceof Expression.Like like) {
            String text = value(like.value(), row);
            String pattern = value(like.pattern(), row);
            return text != null && pattern != null && matches(like, text, pattern) != like.negated();
        }
        if (condition instanceof Expression.InList in) {
            String text = value(in.value(), row);
            return text != null
                    && in.options().stream().anyMatch(option -> equal(text, value(option, row))) != in.negated();
        }
        if (condition instanceof Expression.Between between) {
            String text = value(between.value(), row);
            String low = value(between.low(), row);
            String high = value(between.high(), row);
            return text != null
                    && low != null
                    && high != null
                    && (order(text, low) >= 0 && order(text, high) <= 0) != between.negated();
        }
        if (condition instanceof Expression.IsNull isNull) {
            return (value(isNull.value(), row) == null) != isNull.negated();
        }
        if (condition instanceof Expression.BooleanLiteral literal) {
            return literal.value();
        }
        if (condition instanceof Expression.IntegerLiteral literal) {
            return literal.value().signum() != 0;
        }
        throw unsupported(condition);
    }

    private static boolean matches(Expression.Like like, String text, String pattern) {
        return like.regexp()
                ? java.util.regex.Pattern.compile(pattern).matcher(text).find()
                : LikePattern.matches(text, pattern);
    }

    private static boolean compare(Expression.Comparison comparison, @Nullable String left, @Nullable String right) {
        if (left == null || right == null) {
            return comparison.operator() == org.thetis.sql.ast.ComparisonOperator.NULL_SAFE_EQUAL
                    && left == null
                    && right == null;
        }
        int order = order(left, right);
        return switch (comparison.operator()) {
            case EQUAL, NULL_SAFE_EQUAL -> order == 0;
            case NOT_EQUAL -> order != 0;
            case LESS -> order < 0;
            case LESS_OR_EQUAL -> order <= 0;
            case GREATER -> order > 0;
            case GREATER_OR_EQUAL -> order >= 0;
        };
    }

    private static boolean equal(String left, @Nullable String right) {
        return right != null && order(left, right) == 0;
    }

    private static int order(String left, String right) {
        try {
            return new BigDecimal(left).compareTo(new BigDecimal(right));
        } catch (NumberFormatException notNumbers) {
            return left.compareToIgnoreCase(right);
        }
    }

    private @Nullable String value(Expression expression, List<@Nullable String> row) {
        if (expression instanceof Expression.ColumnReference column) {
            return row.get(position(column.parts().get(column.parts().size() - 1)));
        }
        if (expression instanceof Expression.StringLiteral literal) {
            return literal.value();
        }
        if (expression instanceof Expression.IntegerLiteral literal) {
            return literal.value().toString();
        }
        if (expression instanceof Expression.DecimalLiteral literal) {
            return literal.text();
        }
        if (expression instanceof Expression.BooleanLiteral literal) {
            return Boolean.toString(literal.value());
        }
        if (expression instanceof Expression.TypedLiteral literal) {
            return literal.text();
        }
        if (expression instanceof Expression.NullLiteral) {
            return null;
        }
        if (expression instanceof Expression.Unary unary && unary.operator() == UnaryOperator.NEGATE) {
            return "-" + value(unary.operand(), row);
        }
        throw unsupported(expression);
    }

    private int position(String name) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).equalsIgnoreCase(name)) {
                return i;
            }
        }
        throw new ThetisException(
                ErrorCode.UNKNOWN_COLUMN,
                "Unknown column '" + name + "' in 'where clause'" + NearestNames.suggestion(name, columns));
    }

    private void sort(List<List<@Nullable String>> rows) {
        Comparator<List<@Nullable String>> comparator = null;
        for (SortItem item : filter.orderBy()) {
            int position = item.expression() instanceof Expression.IntegerLiteral number
                    ? number.value().intValue() - 1
                    : item.expression() instanceof Expression.ColumnReference column
                            ? position(column.parts().get(column.parts().size() - 1))
                            : -1;
            if (position < 0 || position >= columns.size()) {
                throw unsupported(item.expression());
            }
            Comparator<List<@Nullable String>> next =
                    (left, right) -> orderNullable(left.get(position), right.get(position));
            next = item.ascending() ? next : next.reversed();
            comparator = comparator == null ? next : comparator.thenComparing(next);
        }
        if (comparator != null) {
            rows.sort(comparator);
        }
    }

    private static int orderNullable(@Nullable String left, @Nullable String right) {
        if (left == null || right == null) {
            return left == null ? (right == null ? 0 : -1) : 1;
        }
        return order(left, right);
    }

    private List<List<@Nullable String>> limit(List<List<@Nullable String>> rows) {
        Limit limit = filter.limit();
        if (limit == null) {
            return rows;
        }
        long offset = number(limit.offset(), 0);
        long count = number(limit.count(), Long.MAX_VALUE);
        int from = (int) Math.min(offset, rows.size());
        int to = (int) Math.min(rows.size(), from + Math.min(count, rows.size()));
        return rows.subList(from, to);
    }

    private static long number(@Nullable Expression expression, long otherwise) {
        return expression instanceof Expression.IntegerLiteral literal
                ? literal.value().longValue()
                : otherwise;
    }

    private static ThetisException unsupported(Expression expression) {
        return new ThetisException(
                ErrorCode.NOT_SUPPORTED,
                "this expression in the filter of a SHOW is not supported",
                expression.position());
    }
}
