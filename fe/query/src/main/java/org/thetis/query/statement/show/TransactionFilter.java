// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.Expression;

/** SHOW TRANSACTION has short names for its columns in WHERE: id, label, status. */
final class TransactionFilter {
    private TransactionFilter() {}

    static @Nullable Expression translate(@Nullable Expression condition) {
        if (condition instanceof Expression.Logical logical) {
            return new Expression.Logical(
                    logical.position(),
                    logical.operator(),
                    logical.operands().stream().map(TransactionFilter::required).toList());
        }
        if (condition instanceof Expression.Comparison comparison) {
            return new Expression.Comparison(
                    comparison.position(),
                    comparison.operator(),
                    required(comparison.left()),
                    required(comparison.right()));
        }
        if (condition instanceof Expression.Like like) {
            return new Expression.Like(
                    like.position(),
                    like.negated(),
                    like.regexp(),
                    required(like.value()),
                    like.pattern(),
                    like.escape());
        }
        if (condition instanceof Expression.ColumnReference column) {
            return rename(column);
        }
        return condition;
    }

    private static Expression required(Expression expression) {
        Expression translated = translate(expression);
        return translated == null ? expression : translated;
    }

    private static Expression rename(Expression.ColumnReference column) {
        String name = column.parts().get(column.parts().size() - 1).toLowerCase(Locale.ROOT);
        return switch (name) {
            case "id" -> new Expression.ColumnReference(column.position(), List.of("TransactionId"));
            case "status" -> new Expression.ColumnReference(column.position(), List.of("TransactionStatus"));
            default -> column;
        };
    }
}
