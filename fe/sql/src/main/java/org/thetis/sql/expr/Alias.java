// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.expr;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.type.DataType;

/** A computed output column. */
public record Alias(ExprId id, String name, Expr child, @Nullable String qualifier) implements NamedExpr {
    /** A column without table qualifier. */
    public Alias(ExprId id, String name, Expr child) {
        this(id, name, child, null);
    }

    @Override
    public DataType type() {
        return child.type();
    }

    @Override
    public boolean nullable() {
        return child.nullable();
    }

    @Override
    public List<Expr> children() {
        return List.of(child);
    }

    @Override
    public Expr withChildren(List<Expr> children) {
        return children.get(0) == child ? this : new Alias(id, name, children.get(0), qualifier);
    }

    @Override
    public String sql() {
        return child.sql() + " AS `" + name + "`";
    }

    @Override
    public SlotReference toSlot() {
        return new SlotReference(
                id, qualifier, name, type(), nullable(), child instanceof SlotReference slot ? slot.origin() : null);
    }
}
