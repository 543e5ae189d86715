// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.expr;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.type.DataType;

/** A function over a window. A null frame is the function's default: the partition, or up to the current peers when ordered. */
public record WindowCall(
        String name,
        List<Expr> arguments,
        List<Expr> partitionBy,
        List<SortKey> orderBy,
        @Nullable WindowFrame frame,
        DataType type,
        boolean nullable)
        implements Expr {
    /** Copies the lists. */
    public WindowCall {
        arguments = List.copyOf(arguments);
        partitionBy = List.copyOf(partitionBy);
        orderBy = List.copyOf(orderBy);
    }

    @Override
    public List<Expr> children() {
        List<Expr> all = new ArrayList<>(arguments);
        all.addAll(partitionBy);
        orderBy.forEach(key -> all.add(key.expression()));
        return all;
    }

    @Override
    public Expr withChildren(List<Expr> children) {
        int begin = arguments.size();
        int keys = begin + partitionBy.size();
        List<SortKey> newOrder = new ArrayList<>();
        for (int i = 0; i < orderBy.size(); i++) {
            newOrder.add(orderBy.get(i).withExpression(children.get(keys + i)));
        }
        return new WindowCall(
                name, children.subList(0, begin), children.subList(begin, keys), newOrder, frame, type, nullable);
    }

    @Override
    public String sql() {
        String over = partitionBy.isEmpty()
                ? ""
                : "PARTITION BY " + partitionBy.stream().map(Expr::sql).collect(Collectors.joining(", "));
        String order = orderBy.isEmpty()
                ? ""
                : " ORDER BY " + orderBy.stream().map(SortKey::sql).collect(Collectors.joining(", "));
        return name + "(" + arguments.stream().map(Expr::sql).collect(Collectors.joining(", ")) + ") OVER ("
                + (over + order).trim() + ")";
    }
}
