// SPDX-License-Identifier: Apache-2.0
package org.thetis.base.metrics;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts values in buckets that grow by a quarter of a power of two (an error below 19 %), so that recording is one atomic add.
 * Shown as a summary with quantiles, as existing dashboards expect.
 */
public final class Histogram {
    private static final int SUB_BUCKETS = 4;

    private final AtomicLongArray buckets = new AtomicLongArray(64 * SUB_BUCKETS);
    private final LongAdder count = new LongAdder();
    private final LongAdder sum = new LongAdder();

    /** Records one value; negative ones count as zero. */
    public void record(long value) {
        long positive = Math.max(0, value);
        buckets.incrementAndGet(bucketOf(positive));
        count.increment();
        sum.add(positive);
    }

    public long count() {
        return count.sum();
    }

    public long sum() {
        return sum.sum();
    }

    /** The upper bound of the bucket that holds the given share of all values; 0 when nothing was recorded. */
    public long quantile(double share) {
        long wanted = (long) Math.ceil(count() * share);
        if (wanted == 0) {
            return 0;
        }
        long seen = 0;
        for (int i = 0; i < buckets.length(); i++) {
            seen += buckets.get(i);
            if (seen >= wanted) {
                return upperBound(i);
            }
        }
        return upperBound(buckets.length() - 1);
    }

    static int bucketOf(long value) {
        if (value < SUB_BUCKETS) {
            return (int) value;
        }
        int log = 63 - Long.numberOfLeadingZeros(value);
        return (log - 1) * SUB_BUCKETS + (int) ((value >>> (log - 2)) & 3);
    }

    static long upperBound(int bucket) {
        if (bucket < SUB_BUCKETS) {
            return bucket;
        }
        int log = bucket / SUB_BUCKETS + 1;
        long sub = bucket % SUB_BUCKETS;
        return (1L << log) + ((sub + 1) << (log - 2)) - 1;
    }
}
