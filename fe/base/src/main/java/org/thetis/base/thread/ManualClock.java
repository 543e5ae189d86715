// SPDX-License-Identifier: Apache-2.0
package org.thetis.base.thread;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that moves only when told to. For tests of time-outs and retention. */
public final class ManualClock implements Clock {
    private final AtomicLong nanos;

    public ManualClock(long startMillis) {
        this.nanos = new AtomicLong(startMillis * 1_000_000);
    }

    public void advance(Duration span) {
        nanos.addAndGet(span.toNanos());
    }

    @Override
    public long millis() {
        return nanos.get() / 1_000_000;
    }

    @Override
    public long nanos() {
        return nanos.get();
    }
}
