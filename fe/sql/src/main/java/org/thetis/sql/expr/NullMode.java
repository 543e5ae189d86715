// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.expr;

import java.util.List;

/** How a function's result becomes NULL. */
public enum NullMode {
    /** When an argument is NULL. */
    PROPAGATE,
    /** Possibly always. */
    ALWAYS,
    /** Never. */
    NEVER,
    /** Only when every argument may be (coalesce). */
    ALL_ARGUMENTS,
    /** When an argument after the first may be (if). */
    BRANCHES;

    /** Whether the result may be NULL, given whether each argument may. */
    public boolean nullable(List<Boolean> arguments) {
        return switch (this) {
            case PROPAGATE -> arguments.contains(true);
            case ALWAYS -> true;
            case NEVER -> false;
            case ALL_ARGUMENTS -> !arguments.contains(false);
            case BRANCHES ->
                arguments
                        .subList(Math.min(1, arguments.size()), arguments.size())
                        .contains(true);
        };
    }
}
