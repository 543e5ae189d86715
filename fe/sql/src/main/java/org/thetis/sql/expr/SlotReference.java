// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.expr;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.type.DataType;

/** A column produced by a plan node below. Two references are equal when their identities are. */
public record SlotReference(
        ExprId id,
        @Nullable String qualifier,
        String name,
        DataType type,
        boolean nullable,
        @Nullable ColumnOrigin origin)
        implements NamedExpr {
    @Override
    public List<Expr> children() {
        return List.of();
    }

    @Override
    public Expr withChildren(List<Expr> children) {
        return this;
    }

    @Override
    public String sql() {
        return name;
    }

    @Override
    public SlotReference toSlot() {
        return this;
    }

    /** The same column seen through an outer join. */
    public SlotReference withNullable(boolean nullableNow) {
        return nullable == nullableNow ? this : new SlotReference(id, qualifier, name, type, nullableNow, origin);
    }

    /** The same column under a table alias. */
    public SlotReference withQualifier(@Nullable String alias) {
        return new SlotReference(id, alias, name, type, nullable, origin);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SlotReference slot && slot.id.equals(id);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    @Override
    public String toString() {
        return name + id;
    }
}
