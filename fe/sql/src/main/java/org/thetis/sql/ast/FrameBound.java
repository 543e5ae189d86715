// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

/** One end of a window frame. */
public sealed interface FrameBound {
    /** UNBOUNDED PRECEDING. */
    record UnboundedPreceding() implements FrameBound {}

    /** n PRECEDING. */
    record Preceding(Expression distance) implements FrameBound {}

    /** CURRENT ROW. */
    record CurrentRow() implements FrameBound {}

    /** n FOLLOWING. */
    record Following(Expression distance) implements FrameBound {}

    /** UNBOUNDED FOLLOWING. */
    record UnboundedFollowing() implements FrameBound {}
}
