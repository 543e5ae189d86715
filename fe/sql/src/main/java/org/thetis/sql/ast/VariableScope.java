// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

/** Which variable is meant; DEFAULT when the text does not say. */
public enum VariableScope {
    DEFAULT,
    SESSION,
    GLOBAL
}
