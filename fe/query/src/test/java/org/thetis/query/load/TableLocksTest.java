// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.query.session.Cancellation;

/** Turns of tables: one at a time, given back on every path. */
class TableLocksTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final TableLocks locks = new TableLocks();

    @Test
    void oneTableWaitsAndAnotherDoesNot() throws Exception {
        TableLocks.Held first = locks.acquire(1, new Cancellation(), LONG);
        locks.acquire(2, new Cancellation(), LONG).close();
        CompletableFuture<TableLocks.Held> second =
                CompletableFuture.supplyAsync(() -> locks.acquire(1, new Cancellation(), LONG));
        assertThat(second).isNotDone();
        first.close();
        second.get(10, TimeUnit.SECONDS).close();
    }

    @Test
    void waitingEndsByCancellationAndByTime() {
        TableLocks.Held held = locks.acquire(1, new Cancellation(), LONG);
        Cancellation cancelled = new Cancellation();
        cancelled.cancel(new ThetisException(ErrorCode.CANCELLED, "killed"));
        assertThatThrownBy(() -> locks.acquire(1, cancelled, LONG)).hasMessageContaining("killed");
        assertThatThrownBy(() -> locks.acquire(1, new Cancellation(), Duration.ZERO))
                .isInstanceOf(ThetisException.class)
                .hasMessageContaining("another UPDATE or DELETE");
        held.close();
        locks.acquire(1, new Cancellation(), Duration.ZERO).close();
    }
}
