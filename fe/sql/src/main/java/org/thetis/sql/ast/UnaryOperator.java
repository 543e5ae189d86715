// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

/** Prefix operators over numbers. */
public enum UnaryOperator {
    NEGATE,
    PLUS,
    BIT_NOT
}
