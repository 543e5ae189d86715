// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

/** Connectives of conditions. */
public enum LogicalOperator {
    AND,
    OR,
    XOR
}
