// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.journal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.persist.AllocateIds;
import org.thetis.catalog.snapshot.CatalogReader;

/**
 * Takes blocks of ids from the journal and hands them out from memory; a restart skips the rest of the block. The next block is
 * taken when half of one is used, so that nobody waits for it in the ordinary case.
 */
public final class JournaledIds implements IdAllocator {
    private static final Logger LOG = LoggerFactory.getLogger(JournaledIds.class);
    private static final long BLOCK = 2000;

    private final Journal journal;
    private final CatalogReader catalog;

    /** Guards the two numbers and the request; not held while waiting for the journal. */
    private final Object lock = new Object();

    @GuardedBy("lock")
    private long next;

    @GuardedBy("lock")
    private long end;

    @GuardedBy("lock")
    private CompletableFuture<Void> pending = CompletableFuture.completedFuture(null);

    public JournaledIds(Journal journal, CatalogReader catalog) {
        this.journal = journal;
        this.catalog = catalog;
    }

    @Override
    public long next() {
        while (true) {
            CompletableFuture<Void> wait;
            synchronized (lock) {
                if (end - next < BLOCK / 2 && pending.isDone()) {
                    requestBlock();
                }
                if (next < end) {
                    return next++;
                }
                wait = pending;
            }
            try {
                wait.get(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ThetisException(ErrorCode.CANCELLED, "interrupted while waiting for ids", e);
            } catch (TimeoutException e) {
                throw new ThetisException(ErrorCode.TIMEOUT, "the journal gave no ids in time", e);
            } catch (ExecutionException e) {
                throw e.getCause() instanceof ThetisException known
                        ? known
                        : new ThetisException(ErrorCode.INTERNAL, "no ids: " + e.getCause(), e);
            }
        }
    }

    @GuardedBy("lock")
    private void requestBlock() {
        long from = Math.max(end, catalog.snapshot().nextId());
        long to = from + BLOCK;
        pending = journal.append(new AllocateIds(to)).thenRun(() -> took(from, to));
        pending.whenComplete((done, failure) -> {
            if (failure != null) {
                LOG.warn("No block of ids could be taken: {}", failure.getMessage());
            }
        });
    }

    private void took(long from, long to) {
        synchronized (lock) {
            if (from != end) {
                next = from;
            }
            end = to;
        }
    }
}
