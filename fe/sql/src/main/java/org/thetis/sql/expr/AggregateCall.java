// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.expr;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.thetis.catalog.type.DataType;

/**
 * An aggregate function by its catalog name. State is the wire form of a partial result. Sort keys are those of
 * group_concat and its kin; their expressions follow the arguments among the children.
 */
public record AggregateCall(
        String name,
        List<Expr> arguments,
        boolean distinct,
        List<SortKey> orderBy,
        DataType type,
        DataType stateType,
        NullMode nulls)
        implements Expr {
    /** Copies the lists. */
    public AggregateCall {
        arguments = List.copyOf(arguments);
        orderBy = List.copyOf(orderBy);
    }

    @Override
    public boolean nullable() {
        return nulls != NullMode.NEVER;
    }

    @Override
    public List<Expr> children() {
        if (orderBy.isEmpty()) {
            return arguments;
        }
        List<Expr> all = new ArrayList<>(arguments);
        orderBy.forEach(key -> all.add(key.expression()));
        return all;
    }

    @Override
    public Expr withChildren(List<Expr> children) {
        List<SortKey> keys = new ArrayList<>();
        for (int i = 0; i < orderBy.size(); i++) {
            keys.add(orderBy.get(i).withExpression(children.get(arguments.size() + i)));
        }
        return new AggregateCall(name, children.subList(0, arguments.size()), distinct, keys, type, stateType, nulls);
    }

    /** The same call without DISTINCT. */
    public AggregateCall withoutDistinct() {
        return new AggregateCall(name, arguments, false, orderBy, type, stateType, nulls);
    }

    @Override
    public String sql() {
        String list =
                arguments.isEmpty() ? "*" : arguments.stream().map(Expr::sql).collect(Collectors.joining(", "));
        return name + "(" + (distinct ? "DISTINCT " : "") + list + ")";
    }
}
