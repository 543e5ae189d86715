// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.expr;

import java.util.List;
import java.util.stream.Collectors;
import org.thetis.catalog.type.DataType;

/** A scalar function by its catalog name; arguments are cast to the chosen signature. */
public record ScalarCall(String name, List<Expr> children, DataType type, NullMode nulls, boolean isVolatile)
        implements Expr {
    /** Copies the list. */
    public ScalarCall {
        children = List.copyOf(children);
    }

    @Override
    public boolean nullable() {
        return nulls.nullable(children.stream().map(Expr::nullable).toList());
    }

    @Override
    public Expr withChildren(List<Expr> newChildren) {
        return new ScalarCall(name, newChildren, type, nulls, isVolatile);
    }

    /** Whether this is a call of the named function. */
    public boolean is(String function) {
        return name.equals(function);
    }

    /** The i-th argument. */
    public Expr child(int i) {
        return children.get(i);
    }

    @Override
    public String sql() {
        String operator = OperatorNames.infix(name);
        if (operator != null && children.size() == 2) {
            return "(" + children.get(0).sql() + " " + operator + " "
                    + children.get(1).sql() + ")";
        }
        return switch (name) {
            case "is_null" -> children.get(0).sql() + " IS NULL";
            case "is_not_null" -> children.get(0).sql() + " IS NOT NULL";
            case "not" -> "(NOT " + children.get(0).sql() + ")";
            default -> name + "(" + children.stream().map(Expr::sql).collect(Collectors.joining(", ")) + ")";
        };
    }
}
