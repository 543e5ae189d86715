// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.expr;

import java.util.List;
import org.thetis.catalog.type.DataType;

/** A conversion as SQL CAST does it: what does not convert becomes NULL, except where no value can fail. */
public record Cast(Expr child, DataType type, boolean explicit) implements Expr {
    @Override
    public boolean nullable() {
        return child.nullable() || !Casts.neverFails(child.type(), type);
    }

    @Override
    public List<Expr> children() {
        return List.of(child);
    }

    @Override
    public Expr withChildren(List<Expr> children) {
        return new Cast(children.get(0), type, explicit);
    }

    @Override
    public String sql() {
        return "CAST(" + child.sql() + " AS " + type + ")";
    }
}
