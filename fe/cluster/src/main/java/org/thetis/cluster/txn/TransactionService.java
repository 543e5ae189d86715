// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.txn;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.object.Transaction;
import org.thetis.catalog.object.TransactionSource;
import org.thetis.catalog.object.TransactionStatus;
import org.thetis.catalog.schema.Partition;
import org.thetis.wire.thrift.TabletCommit;

/** Load transactions of all databases: labels, commit on a quorum, publish, visibility. Safe for use from any thread. */
public interface TransactionService {
    /**
     * What begin needs.
     *
     * @param coordinator `FE: host` or `BE: host`
     * @param coordinatorBackend the back end that coordinates and whose loss aborts the transaction, or -1
     * @param requestId identifies the attempt, so that repeating it gives the same transaction; empty if it has none
     * @param timeoutMillis after which an unfinished transaction is aborted
     * @param attachment who started it, for SHOW; what commit adds comes on top
     */
    record BeginRequest(
            long databaseId,
            List<Long> tableIds,
            String label,
            String coordinator,
            long coordinatorBackend,
            TransactionSource source,
            String requestId,
            long timeoutMillis,
            Map<String, String> attachment) {
        public BeginRequest {
            tableIds = List.copyOf(tableIds);
            attachment = Map.copyOf(attachment);
        }

        /** A request without an attachment. */
        public BeginRequest(
                long databaseId,
                List<Long> tableIds,
                String label,
                String coordinator,
                long coordinatorBackend,
                TransactionSource source,
                String requestId,
                long timeoutMillis) {
            this(
                    databaseId,
                    tableIds,
                    label,
                    coordinator,
                    coordinatorBackend,
                    source,
                    requestId,
                    timeoutMillis,
                    Map.of());
        }
    }

    /**
     * Starts a transaction; nothing is journalled yet. Fails with {@link LabelExistsException} when the label is in use,
     * TOO_MANY_TRANSACTIONS at the database's limit, UNKNOWN_DATABASE when it is gone, INVALID_ARGUMENT for a bad label.
     */
    Transaction begin(BeginRequest request);

    /** Adds a table to a running transaction (several INSERTs between BEGIN and COMMIT). */
    void addTable(long databaseId, long transactionId, long tableId);

    /** Makes the writes durable without making them visible; the second phase follows by {@link #commitPrecommitted}. */
    void precommit(long databaseId, long transactionId, List<TabletCommit> commits, Map<String, String> attachment);

    /**
     * Commits when every touched tablet has enough complete replicas (else fails and aborts, naming tablet and counts), then
     * publishes and waits up to `visibleWait`. Gives VISIBLE or, when publishing takes longer, COMMITTED: it will become visible.
     * Committing what is committed or visible already gives its state.
     */
    TransactionStatus commit(
            long databaseId,
            long transactionId,
            List<TabletCommit> commits,
            Map<String, String> attachment,
            Duration visibleWait);

    /** Second phase of a pre-committed transaction. */
    TransactionStatus commitPrecommitted(long databaseId, long transactionId, Duration visibleWait);

    /** Aborts; repeating is harmless. Fails with TRANSACTION_STATE when it is committed, TRANSACTION_NOT_FOUND when unknown. */
    void abort(long databaseId, long transactionId, @Nullable String reason);

    /** Waits until the transaction is final, at most so long, and gives its state. */
    TransactionStatus awaitVisible(long databaseId, long transactionId, Duration wait);

    /**
     * The newest version that a commit took of each partition. A commit that starts after this call sees the catalog as it was
     * before the call, or newer.
     */
    Map<Long, Long> committedVersions(List<Partition> partitions);

    Optional<Transaction> find(long databaseId, long transactionId);

    /** The newest transaction that used the label. */
    Optional<Transaction> findByLabel(long databaseId, String label);

    /** Every transaction that is remembered, running ones included, newest first. */
    List<Transaction> list(long databaseId);

    /** Transactions of the database that are not final. */
    int numRunning(long databaseId);

    /** Forgets finished transactions of a label, or of all labels when it is null (CLEAN LABEL). */
    void cleanLabels(long databaseId, @Nullable String label);
}
