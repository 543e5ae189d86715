// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.expr;

import java.util.List;
import java.util.stream.Collectors;
import org.thetis.catalog.type.DataType;

/** AND or OR over two or more conditions, with three-valued logic. */
public record Connective(boolean and, List<Expr> children) implements Expr {
    /** Copies the list. */
    public Connective {
        children = List.copyOf(children);
    }

    @Override
    public DataType type() {
        return DataType.BOOLEAN;
    }

    @Override
    public boolean nullable() {
        return children.stream().anyMatch(Expr::nullable);
    }

    @Override
    public Expr withChildren(List<Expr> newChildren) {
        return new Connective(and, newChildren);
    }

    @Override
    public String sql() {
        return children.stream()
                .map(c -> c instanceof Connective ? "(" + c.sql() + ")" : c.sql())
                .collect(Collectors.joining(and ? " AND " : " OR "));
    }
}
