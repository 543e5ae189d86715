// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

/** Set operations; MINUS is EXCEPT. */
public enum SetOperator {
    UNION,
    INTERSECT,
    EXCEPT
}
