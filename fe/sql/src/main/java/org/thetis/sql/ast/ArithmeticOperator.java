// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

/** Binary operators over numbers. INTEGER_DIVIDE is DIV. */
public enum ArithmeticOperator {
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    INTEGER_DIVIDE,
    MODULO,
    BIT_AND,
    BIT_OR,
    BIT_XOR
}
