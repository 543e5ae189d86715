// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.alter;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;

/**
 * The right to change one named thing, held from the check to the journal record. Waiting for it has a deadline. The lock guards
 * only the set of names; claims themselves may be held across I/O, as readers and loads never take them.
 */
public final class Claims {
    private final Duration deadline;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition released = lock.newCondition();

    @GuardedBy("lock")
    private final Set<String> held = new HashSet<>();

    public Claims(Duration deadline) {
        this.deadline = deadline;
    }

    /** A claim; closing gives it back. */
    interface Claim extends AutoCloseable {
        @Override
        void close();
    }

    /** Waits until nobody else holds the name. */
    Claim take(String name) {
        long left = deadline.toNanos();
        lock.lock();
        try {
            while (held.contains(name)) {
                if (left <= 0) {
                    throw new ThetisException(ErrorCode.TIMEOUT, "another statement is changing " + name);
                }
                left = released.awaitNanos(left);
            }
            held.add(name);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ThetisException(ErrorCode.CANCELLED, "interrupted while waiting to change " + name, e);
        } finally {
            lock.unlock();
        }
        return () -> release(name);
    }

    private void release(String name) {
        lock.lock();
        try {
            held.remove(name);
            released.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
