// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.journal;

import java.util.concurrent.CompletableFuture;
import org.thetis.catalog.persist.JournalRecord;

/** The replicated log of catalog changes. What it acknowledged survives the kill of this process. Safe for use from any thread. */
public interface Journal {
    /**
     * Logs a record and applies it to the catalog; the future completes when both are done. Fails with NOT_LEADER when another
     * front end leads, with TIMEOUT when a quorum does not answer. Concurrent appends share disk writes.
     */
    CompletableFuture<Void> append(JournalRecord record);

    /**
     * Waits, within the journal's deadline, for an {@link #append}. A failure does not say that the record is not logged: it may be
     * applied yet, or already be.
     */
    void await(CompletableFuture<Void> append);

    /** Logs a record and waits until it is applied: {@link #append} and {@link #await}. */
    default void appendAndWait(JournalRecord record) {
        await(append(record));
    }

    /** Whether this front end may change the catalog now. */
    boolean isLeader();

    /** Number of records applied since the cluster was made. */
    long lastApplied();

    /** Writes an image and drops the records it covers. */
    void checkpoint();
}
