// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.expr;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.thetis.catalog.type.DataType;

/** value [NOT] IN (constants); all of one type. */
public record InList(Expr value, List<Expr> options, boolean negated) implements Expr {
    /** Copies the list. */
    public InList {
        options = List.copyOf(options);
    }

    @Override
    public DataType type() {
        return DataType.BOOLEAN;
    }

    @Override
    public boolean nullable() {
        return value.nullable() || options.stream().anyMatch(Expr::nullable);
    }

    @Override
    public List<Expr> children() {
        List<Expr> all = new ArrayList<>(options.size() + 1);
        all.add(value);
        all.addAll(options);
        return all;
    }

    @Override
    public Expr withChildren(List<Expr> children) {
        return new InList(children.get(0), children.subList(1, children.size()), negated);
    }

    @Override
    public String sql() {
        String list = options.stream().map(Expr::sql).collect(Collectors.joining(", "));
        return value.sql() + (negated ? " NOT IN (" : " IN (") + list + ")";
    }
}
