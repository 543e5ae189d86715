// SPDX-License-Identifier: Apache-2.0
package org.thetis.base.thread;

/** Where time comes from, so that tests can move it. */
public interface Clock {
    /** Milliseconds since 1970-01-01 UTC. */
    long millis();

    /** A monotonic reading for measuring spans; its origin means nothing. */
    long nanos();

    /** The machine's clock. */
    static Clock system() {
        return new Clock() {
            @Override
            public long millis() {
                return System.currentTimeMillis();
            }

            @Override
            public long nanos() {
                return System.nanoTime();
            }
        };
    }
}
