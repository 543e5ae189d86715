// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.node;

/** Hears of changes in who is alive. Called on heartbeat threads: must be quick. */
public interface NodeListener {
    /** Answers again, or for the first time. */
    default void backendUp(long backendId) {}

    /** Stopped answering. */
    default void backendDown(long backendId) {}

    /** Is another process than before: what it held in memory is gone. */
    default void backendRestarted(long backendId) {}
}
