// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

/** Forms in which EXPLAIN prints a plan. */
public enum ExplainMode {
    /** Fragments with operators, as plain EXPLAIN. */
    FRAGMENTS,
    /** Fragments with tuple and slot types too. */
    VERBOSE,
    /** The bound logical tree. */
    ANALYZED,
    /** The logical tree after rewriting. */
    REWRITTEN,
    /** The physical tree. */
    OPTIMIZED,
    /** The physical tree, shapes only. */
    SHAPE,
    /** All of the trees. */
    ALL
}
