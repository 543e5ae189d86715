// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.expr;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.type.DataType;

/**
 * A query inside an expression; it may read columns of the outer query. Value is the left side of IN and null
 * otherwise. A normalize rule turns every subquery into a join.
 */
public record Subquery(Kind kind, @Nullable Expr value, SubqueryPlan plan, boolean negated) implements Expr {
    /** What the query stands for. */
    public enum Kind {
        SCALAR,
        EXISTS,
        IN
    }

    @Override
    public DataType type() {
        return kind == Kind.SCALAR ? plan.output().get(0).type() : DataType.BOOLEAN;
    }

    @Override
    public boolean nullable() {
        return kind != Kind.EXISTS;
    }

    @Override
    public List<Expr> children() {
        return value == null ? List.of() : List.of(value);
    }

    @Override
    public Expr withChildren(List<Expr> children) {
        return children.isEmpty() ? this : new Subquery(kind, children.get(0), plan, negated);
    }

    @Override
    public String sql() {
        String not = negated ? "NOT " : "";
        return switch (kind) {
            case SCALAR -> "(subquery)";
            case EXISTS -> not + "EXISTS (subquery)";
            case IN -> (value == null ? "" : value.sql()) + " " + not + "IN (subquery)";
        };
    }
}
