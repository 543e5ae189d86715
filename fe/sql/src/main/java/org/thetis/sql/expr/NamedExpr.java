// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.expr;

/** An expression that gives a plan node's output column its identity and name. */
public sealed interface NamedExpr extends Expr permits SlotReference, Alias {
    /** Identity of the column. */
    ExprId id();

    /** Name of the column. */
    String name();

    /** The column as seen from above. */
    SlotReference toSlot();
}
