// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

/** Kinds of join as written. INNER without a condition is a cross join. */
public enum JoinKind {
    INNER,
    CROSS,
    LEFT_OUTER,
    RIGHT_OUTER,
    FULL_OUTER,
    LEFT_SEMI,
    RIGHT_SEMI,
    LEFT_ANTI,
    RIGHT_ANTI,
    NULL_AWARE_LEFT_ANTI
}
