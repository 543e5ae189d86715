// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.load;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.query.session.Cancellation;

/**
 * Lets one statement at a time read and then rewrite rows of a table, in the order they came. Statements that only add rows take
 * no part. Thread-safe.
 */
public final class TableLocks {
    private static final long LOOK_MILLIS = 50;

    /** One table's turn; goes away with its last user. */
    private static final class Turn {
        private final Semaphore free = new Semaphore(1, true);
        private int users;
    }

    private final ConcurrentHashMap<Long, Turn> turns = new ConcurrentHashMap<>();

    /** A turn that was taken; closing gives it to the next. */
    public interface Held extends AutoCloseable {
        @Override
        void close();
    }

    /** Waits for the table's turn; fails when the statement is cancelled or the wait takes too long. */
    public Held acquire(long tableId, Cancellation cancellation, Duration longest) {
        Turn turn = turns.compute(tableId, (id, known) -> {
            Turn used = known == null ? new Turn() : known;
            used.users++;
            return used;
        });
        boolean taken = false;
        try {
            await(turn, cancellation, longest);
            taken = true;
        } finally {
            if (!taken) {
                leave(tableId);
            }
        }
        return () -> {
            turn.free.release();
            leave(tableId);
        };
    }

    private static void await(Turn turn, Cancellation cancellation, Duration longest) {
        long deadline = System.nanoTime() + longest.toNanos();
        try {
            while (!turn.free.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                cancellation.check();
                if (System.nanoTime() - deadline > 0) {
                    throw new ThetisException(
                            ErrorCode.TIMEOUT,
                            "another UPDATE or DELETE of the table did not end within " + longest.toSeconds() + " s");
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ThetisException(ErrorCode.CANCELLED, "interrupted while waiting for a table", interrupted);
        }
    }

    private void leave(long tableId) {
        turns.computeIfPresent(tableId, (id, known) -> --known.users == 0 ? null : known);
    }
}
