// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.schedule;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.query.session.Cancellation;

/** Waits for a load's fragments, whose streams carry counters and no rows. */
public final class LoadExecution {
    private LoadExecution() {}

    /** Returns when every back end is done; fails with the first failure, a cancellation, or the deadline. */
    public static void await(QueryExecution execution, Cancellation cancellation, Duration deadline) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        execution.open(new RowConsumer() {
            @Override
            public void onRows(ByteString packets, long numRows) {
                execution.cancel(new ThetisException(ErrorCode.INTERNAL, "a load sent rows to the front end"));
            }

            @Override
            public void onEnd() {
                done.complete(null);
            }

            @Override
            public void onFailure(ThetisException failure) {
                done.completeExceptionally(failure);
            }
        });
        cancellation.onCancel(execution::cancel);
        execution.requestAll();
        try {
            done.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            ThetisException reason = new ThetisException(
                    ErrorCode.QUERY_TIMEOUT, "load did not finish within " + deadline.toSeconds() + " s", late);
            execution.cancel(reason);
            throw reason;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            ThetisException reason = new ThetisException(ErrorCode.CANCELLED, "interrupted while loading", interrupted);
            execution.cancel(reason);
            throw reason;
        } catch (ExecutionException failure) {
            throw failure.getCause() instanceof ThetisException known
                    ? known
                    : new ThetisException(ErrorCode.INTERNAL, "load failed", failure.getCause());
        }
    }
}
