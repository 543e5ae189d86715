// SPDX-License-Identifier: Apache-2.0

/** Latencies in classes that are 1/32 of a power of two wide: percentiles are right to 3 %. One thread writes. */
final class LatencyHistogram {
    private static final int SUB = 5;

    private final long[] counts = new long[64 << SUB];

    void record(long nanos) {
        long value = Math.max(nanos, 1L << SUB);
        int power = 63 - Long.numberOfLeadingZeros(value);
        counts[(power << SUB) + (int) ((value >>> (power - SUB)) & ((1 << SUB) - 1))]++;
    }

    void add(LatencyHistogram other) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += other.counts[i];
        }
    }

    long count() {
        long sum = 0;
        for (long count : counts) {
            sum += count;
        }
        return sum;
    }

    /** Nanoseconds, the middle of the class that holds the share. */
    double percentile(double share) {
        long left = (long) Math.ceil(count() * share);
        for (int i = 0; i < counts.length; i++) {
            left -= counts[i];
            if (left <= 0 && counts[i] > 0) {
                int power = i >>> SUB;
                return ((1L << SUB) + (i & ((1 << SUB) - 1)) + 0.5) * Math.pow(2, power - SUB);
            }
        }
        return 0;
    }
}
