// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.txn;

import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.thread.PeriodicJob;
import org.thetis.catalog.persist.FinishTransaction;
import org.thetis.catalog.snapshot.CatalogWriter;
import org.thetis.cluster.journal.Journal;

/**
 * Makes transactions visible in memory at once and journals that a little later, many at a time: losing it in a crash only means
 * that the transaction is published again at the next start, which back ends take as done.
 */
final class FinishedLog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FinishedLog.class);
    private static final Duration DELAY = Duration.ofMillis(200);

    private final Journal journal;
    private final CatalogWriter writer;
    private final ConcurrentLinkedQueue<FinishTransaction> waiting = new ConcurrentLinkedQueue<>();
    private final PeriodicJob job = new PeriodicJob("txn-finished-log", () -> DELAY, this::flush);

    FinishedLog(Journal journal, CatalogWriter writer) {
        this.journal = journal;
        this.writer = writer;
    }

    void start() {
        job.start();
    }

    /** The transaction is visible to readers when this returns. */
    void finish(FinishTransaction record) {
        writer.apply(record);
        waiting.add(record);
    }

    private void flush() {
        @Nullable FinishTransaction record = waiting.poll();
        while (record != null) {
            long id = record.transactionId();
            journal.append(record).whenComplete((done, failure) -> {
                if (failure != null) {
                    LOG.warn(
                            "That a transaction is visible could not be journalled: txn={} reason={}",
                            id,
                            failure.getMessage());
                }
            });
            record = waiting.poll();
        }
    }

    @Override
    public void close() {
        job.close();
        flush();
    }
}
