// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.ByteString;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;

/**
 * Rows of a query that is planned and started again when an attempt fails for a passing reason before its first row. Attempts are
 * started on the executor, never on the thread that reports the failure.
 */
final class RetryingRows implements RowStream {
    private final Supplier<QueryExecution> attempts;
    private final Executor executor;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private QueryExecution execution;

    @GuardedBy("lock")
    private int attemptsLeft;

    @GuardedBy("lock")
    private @Nullable ThetisException cancelled;

    private @Nullable RowConsumer consumer;

    /** Takes an attempt that has started; `attempts` plans and starts further ones. */
    RetryingRows(QueryExecution first, Supplier<QueryExecution> attempts, int retries, Executor executor) {
        this.execution = first;
        this.attempts = attempts;
        this.attemptsLeft = retries;
        this.executor = executor;
    }

    /** Whether another attempt may do better. */
    static boolean isPassing(ThetisException failure) {
        return switch (failure.code()) {
            case RPC_ERROR, MISSING_VERSION, TABLET_NOT_FOUND, CORRUPTION -> true;
            default -> false;
        };
    }

    @Override
    public void open(RowConsumer rowConsumer) {
        consumer = rowConsumer;
        current().open(new Attempt(rowConsumer));
    }

    @Override
    public void request() {
        current().request();
    }

    @Override
    public void cancel(ThetisException reason) {
        QueryExecution running;
        synchronized (lock) {
            cancelled = reason;
            running = execution;
        }
        running.cancel(reason);
    }

    private QueryExecution current() {
        synchronized (lock) {
            return execution;
        }
    }

    private void again(ThetisException failure) {
        RowConsumer target = Objects.requireNonNull(consumer);
        try {
            QueryExecution next = attempts.get();
            ThetisException reason;
            synchronized (lock) {
                execution = next;
                reason = cancelled;
            }
            if (reason != null) {
                next.cancel(reason);
                target.onFailure(reason);
                return;
            }
            next.open(new Attempt(target));
            next.request();
        } catch (ThetisException alsoFailed) {
            target.onFailure(isPassing(alsoFailed) ? failure : alsoFailed);
        }
    }

    private final class Attempt implements RowConsumer {
        private final RowConsumer target;
        private boolean delivered;

        Attempt(RowConsumer target) {
            this.target = target;
        }

        @Override
        public void onRows(ByteString packets, long numRows) {
            delivered = true;
            target.onRows(packets, numRows);
        }

        @Override
        public void onEnd() {
            target.onEnd();
        }

        @Override
        public void onFailure(ThetisException failure) {
            boolean retry;
            synchronized (lock) {
                retry = !delivered && cancelled == null && isPassing(failure) && attemptsLeft > 0;
                attemptsLeft--;
            }
            if (!retry) {
                target.onFailure(failure);
                return;
            }
            try {
                executor.execute(() -> again(failure));
            } catch (java.util.concurrent.RejectedExecutionException busy) {
                target.onFailure(new ThetisException(ErrorCode.RPC_ERROR, failure.text(), busy));
            }
        }
    }
}
