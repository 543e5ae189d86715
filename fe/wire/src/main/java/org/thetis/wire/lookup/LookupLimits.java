// SPDX-License-Identifier: Apache-2.0
package org.thetis.wire.lookup;

import java.time.Duration;

/**
 * What one connection to a back end may take.
 *
 * @param maxCalls calls in flight; more fail at once
 * @param maxBytes bytes of their frames
 * @param maxReplyBytes of one reply; a larger one costs the connection
 * @param connectTimeout for opening a connection
 * @param firstBackOff after a failure, before the next attempt; doubles with each failure up to `maxBackOff`
 * @param idle without calls, after which the connection is closed
 * @param sweep how often deadlines are looked at: a call fails at most this late
 */
public record LookupLimits(
        int maxCalls,
        long maxBytes,
        int maxReplyBytes,
        Duration connectTimeout,
        Duration firstBackOff,
        Duration maxBackOff,
        Duration idle,
        Duration sweep) {
    public static final LookupLimits DEFAULT = new LookupLimits(
            65_536,
            64L << 20,
            1 << 30,
            Duration.ofSeconds(2),
            Duration.ofMillis(50),
            Duration.ofSeconds(2),
            Duration.ofMinutes(5),
            Duration.ofMillis(20));
}
