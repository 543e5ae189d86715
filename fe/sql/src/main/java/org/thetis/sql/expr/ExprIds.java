// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.expr;

/** Hands out column identities of one statement. Not thread-safe: a statement is planned by one thread. */
public final class ExprIds {
    private int next;

    /** Returns an identity not given before. */
    public ExprId next() {
        return new ExprId(next++);
    }

    /** How many identities were given out. */
    public int given() {
        return next;
    }

    /** Leaves out identities that a plan from before has. */
    public void skip(int number) {
        next += number;
    }
}
