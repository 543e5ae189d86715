// SPDX-License-Identifier: Apache-2.0
package org.thetis.server;

import org.thetis.query.statement.LookupEvent;

/**
 * The audit lines of one event loop that wait for the thread that writes them, each with its end. The loop formats them, as it has what
 * they tell at hand: handing objects to another thread costs more than the text. Thread-safe: one thread adds, one takes.
 */
final class LookupLines {
    /** Bytes that may wait; what comes then is dropped. */
    static final int MAX_WAITING = 16 << 20;

    private static final int FIRST_CAPACITY = 64 << 10;

    /** A buffer that grew past this in a burst is not kept. */
    private static final int MAX_KEPT = 1 << 20;

    private LineBuffer waiting = new LineBuffer(FIRST_CAPACITY);

    /** False when too much waits. Formatting that fails leaves nothing behind. */
    synchronized boolean add(AuditLine format, LookupEvent event, byte[] who, byte[] statement, long slowMillis) {
        int before = waiting.length();
        if (before >= MAX_WAITING) {
            return false;
        }
        boolean added = false;
        try {
            format.append(waiting, event, who, statement, slowMillis);
            waiting.add('\n');
            added = true;
        } finally {
            if (!added) {
                waiting.truncate(before);
            }
        }
        return true;
    }

    /** What waits, in exchange for a buffer that is used from now on. */
    synchronized LineBuffer take(LineBuffer empty) {
        LineBuffer full = waiting;
        waiting = empty;
        return full;
    }

    /** An empty buffer to give to {@link #take}, the given one if it is of use. */
    static LineBuffer reuse(LineBuffer written) {
        if (written.capacity() > MAX_KEPT) {
            return new LineBuffer(FIRST_CAPACITY);
        }
        written.truncate(0);
        return written;
    }
}
