// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.expr.Literal;

/** The literals whose type is that of their value alone. */
public final class PlainLiterals {
    private PlainLiterals() {}

    /** The constant that a literal of the text stands for; null for any other expression. */
    public static @Nullable Literal of(Expression expression) {
        if (expression instanceof Expression.NullLiteral) {
            return Literal.untypedNull();
        }
        if (expression instanceof Expression.BooleanLiteral literal) {
            return Literal.of(literal.value());
        }
        if (expression instanceof Expression.IntegerLiteral literal) {
            return Literal.integer(literal.value());
        }
        if (expression instanceof Expression.DecimalLiteral literal) {
            return Literal.decimal(literal.value());
        }
        return expression instanceof Expression.StringLiteral literal ? Literal.string(literal.value()) : null;
    }
}
