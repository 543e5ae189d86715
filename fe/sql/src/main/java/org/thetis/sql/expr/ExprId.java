// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.expr;

/** Identity of a column while a statement is planned; unique within the statement. */
public record ExprId(int value) {
    @Override
    public String toString() {
        return "#" + value;
    }
}
