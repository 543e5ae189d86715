// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.functions;

import java.util.List;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.NullMode;
import org.thetis.sql.expr.OperatorNames;
import org.thetis.sql.expr.ScalarCall;

/** Builds calls of operators whose arguments already have the right types, for rules that need no overload resolution. */
public final class Calls {
    private Calls() {}

    /** left OP right for a comparison by catalog name; both sides have one type. */
    public static Expr compare(String name, Expr left, Expr right) {
        return new ScalarCall(
                name,
                List.of(left, right),
                DataType.BOOLEAN,
                name.equals("eq_for_null") ? NullMode.NEVER : NullMode.PROPAGATE,
                false);
    }

    /** left = right. */
    public static Expr eq(Expr left, Expr right) {
        return compare("eq", left, right);
    }

    /** NOT condition. */
    public static Expr not(Expr condition) {
        return new ScalarCall("not", List.of(condition), DataType.BOOLEAN, NullMode.PROPAGATE, false);
    }

    /** value IS NULL. */
    public static Expr isNull(Expr value) {
        return new ScalarCall("is_null", List.of(value), DataType.BOOLEAN, NullMode.NEVER, false);
    }

    /** value IS NOT NULL. */
    public static Expr isNotNull(Expr value) {
        return new ScalarCall("is_not_null", List.of(value), DataType.BOOLEAN, NullMode.NEVER, false);
    }

    /** Whether the expression is the named comparison of two values. */
    public static boolean isComparison(Expr expression) {
        return expression instanceof ScalarCall call
                && call.children().size() == 2
                && OperatorNames.isComparison(call.name());
    }

    /** Whether the expression is a call of the named function. */
    public static boolean is(Expr expression, String name) {
        return expression instanceof ScalarCall call && call.is(name);
    }
}
