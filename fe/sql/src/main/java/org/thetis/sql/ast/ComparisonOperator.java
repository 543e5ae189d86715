// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

/** Comparisons. NULL_SAFE_EQUAL is <=>. */
public enum ComparisonOperator {
    EQUAL,
    NULL_SAFE_EQUAL,
    NOT_EQUAL,
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL
}
