// SPDX-License-Identifier: Apache-2.0
package org.thetis.base.metrics;

import java.util.concurrent.atomic.LongAdder;

/** A number that only grows. */
public final class Counter {
    private final LongAdder value = new LongAdder();

    public void increment() {
        value.increment();
    }

    public void add(long amount) {
        value.add(amount);
    }

    public long value() {
        return value.sum();
    }
}
