// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.testing;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.thetis.base.thread.Clock;

/** The machine's clock plus a span that tests make longer: threads that wait go on, and what is due later comes at once. */
public final class AheadClock implements Clock {
    private final AtomicLong ahead = new AtomicLong();

    public void advance(Duration span) {
        ahead.addAndGet(span.toNanos());
    }

    @Override
    public long millis() {
        return System.currentTimeMillis() + ahead.get() / 1_000_000;
    }

    @Override
    public long nanos() {
        return System.nanoTime() + ahead.get();
    }
}
