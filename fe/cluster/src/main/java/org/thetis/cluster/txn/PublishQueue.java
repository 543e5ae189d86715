// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.txn;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.catalog.object.Transaction;
import org.thetis.catalog.persist.FinishTransaction;
import org.thetis.catalog.schema.Partition;

/**
 * Gives committed transactions the versions of their partitions and publishes each after the one before it in every partition.
 * Thread-safe. The lock guards the heads of the queues and orders the journal's appends as the versions; it is not held while
 * waiting.
 */
final class PublishQueue {
    private static final Logger LOG = LoggerFactory.getLogger(PublishQueue.class);

    private final Publisher publisher;
    private final FinishedLog finished;
    private final ConcurrentHashMap<Long, CompletableFuture<Void>> visible = new ConcurrentHashMap<>();
    private final Object lock = new Object();

    /** The last transaction in line for each partition that has one. */
    @GuardedBy("lock")
    private final Map<Long, Tail> tails = new HashMap<>();

    /** Of the transactions in line. */
    @GuardedBy("lock")
    private final MissedReplicas missed = new MissedReplicas();

    private final Function<Transaction, List<FinishTransaction.MissedReplica>> missedBy;

    private record Tail(long version, long transactionId, CompletableFuture<Void> visible) {}

    /** `missedBy` gives the replicas that a committed transaction did not write. */
    PublishQueue(
            Publisher publisher,
            FinishedLog finished,
            Function<Transaction, List<FinishTransaction.MissedReplica>> missedBy) {
        this.publisher = publisher;
        this.finished = finished;
        this.missedBy = missedBy;
    }

    /** Makes the committed transaction when its versions are known; throws when replicas that miss earlier ones are too many. */
    interface Commit {
        Transaction run(List<Transaction.PartitionVersion> versions, MissedReplicas missed);
    }

    /** What happens then: journals it. */
    interface Append {
        CompletableFuture<Void> run(Transaction committed);
    }

    /**
     * Takes the next version of each partition, journals, and queues for publishing; the future is done when journalled.
     *
     * @param committedVersion reads the newest committed version of a partition from the catalog
     */
    CompletableFuture<Void> commit(
            List<CommitCheck.Touched> partitions,
            ToLongFunction<Partition> committedVersion,
            Commit commit,
            Append append) {
        synchronized (lock) {
            List<Transaction.PartitionVersion> versions = new ArrayList<>();
            for (CommitCheck.Touched touched : partitions) {
                long last = committedVersion.applyAsLong(touched.partition());
                @Nullable Tail tail = tails.get(touched.partition().id());
                long version = Math.max(last, tail == null ? 0 : tail.version) + 1;
                versions.add(new Transaction.PartitionVersion(
                        touched.table().id(), touched.partition().id(), version));
            }
            Transaction transaction = commit.run(versions, missed);
            CompletableFuture<Void> journalled = append.run(transaction);
            enqueue(transaction, journalled);
            return journalled;
        }
    }

    /** The newest version taken of each partition, whether the catalog has it yet or not. */
    Map<Long, Long> committedVersions(List<Partition> partitions, ToLongFunction<Partition> committedVersion) {
        synchronized (lock) {
            Map<Long, Long> versions = new HashMap<>();
            for (Partition partition : partitions) {
                @Nullable Tail tail = tails.get(partition.id());
                long last = committedVersion.applyAsLong(partition);
                versions.put(partition.id(), Math.max(last, tail == null ? 0 : tail.version));
            }
            return versions;
        }
    }

    /** Queues transactions that were committed before this process started, in the order of their versions. */
    void resume(List<Transaction> committed) {
        Comparator<Transaction> order =
                Comparator.comparingLong(Transaction::commitMillis).thenComparingLong(Transaction::id);
        List<Transaction> left =
                new ArrayList<>(committed.stream().sorted(order).toList());
        synchronized (lock) {
            while (!left.isEmpty()) {
                // Times may tie or go back; versions never do: take the first that waits for no other one.
                Transaction next = left.stream()
                        .filter(candidate -> left.stream().noneMatch(other -> precedes(other, candidate)))
                        .findFirst()
                        .orElse(left.get(0));
                left.remove(next);
                enqueue(next, CompletableFuture.completedFuture(null));
            }
        }
    }

    private static boolean precedes(Transaction first, Transaction second) {
        for (Transaction.PartitionVersion one : first.partitions()) {
            for (Transaction.PartitionVersion other : second.partitions()) {
                if (one.partitionId() == other.partitionId() && one.version() < other.version()) {
                    return true;
                }
            }
        }
        return false;
    }

    @GuardedBy("lock")
    private void enqueue(Transaction transaction, CompletableFuture<Void> journalled) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        visible.put(transaction.id(), done);
        missed.add(transaction.id(), missedBy.apply(transaction));
        List<CompletableFuture<Void>> before = new ArrayList<>();
        before.add(journalled);
        for (Transaction.PartitionVersion taken : transaction.partitions()) {
            @Nullable Tail tail = tails.put(taken.partitionId(), new Tail(taken.version(), transaction.id(), done));
            if (tail != null) {
                before.add(tail.visible.handle((ok, failure) -> null));
            }
        }
        CompletableFuture.allOf(before.toArray(CompletableFuture[]::new))
                .thenCompose(ready -> publisher.publish(transaction))
                .thenAccept(finished::finish)
                .whenComplete((ok, failure) -> ended(transaction, done, failure));
    }

    private void ended(Transaction transaction, CompletableFuture<Void> done, @Nullable Throwable failure) {
        synchronized (lock) {
            for (Transaction.PartitionVersion taken : transaction.partitions()) {
                tails.computeIfPresent(
                        taken.partitionId(), (id, tail) -> tail.transactionId == transaction.id() ? null : tail);
            }
            missed.remove(transaction.id());
        }
        visible.remove(transaction.id());
        if (failure == null) {
            done.complete(null);
        } else {
            LOG.error("A transaction could not be published: txn={}", transaction.id(), failure);
            done.completeExceptionally(failure);
        }
    }

    /** Done when the transaction is visible; empty when it is not on its way. */
    Optional<CompletableFuture<Void>> findVisible(long transactionId) {
        return Optional.ofNullable(visible.get(transactionId));
    }

    int size() {
        return visible.size();
    }
}
