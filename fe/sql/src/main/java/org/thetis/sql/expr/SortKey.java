// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.expr;

/** One key of an ordering. */
public record SortKey(Expr expression, boolean ascending, boolean nullsFirst) {
    /** The same order over another expression. */
    public SortKey withExpression(Expr other) {
        return other == expression ? this : new SortKey(other, ascending, nullsFirst);
    }

    /** Text as EXPLAIN shows it. */
    public String sql() {
        return expression.sql()
                + (ascending ? " ASC" : " DESC")
                + (nullsFirst == ascending ? "" : nullsFirst ? " NULLS FIRST" : " NULLS LAST");
    }
}
