// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.point;

import org.thetis.base.error.SourcePosition;
import org.thetis.sql.expr.Literal;

/** Which literals of a text are values that come anew with each execution. */
@FunctionalInterface
public interface LiteralPlaces {
    /** The ordinal of the literal of this value that begins there; negative when it is part of the statement. */
    int ordinal(SourcePosition position, Literal value);
}
