// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.txn;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.config.TransactionSettings;
import org.thetis.base.error.ThetisException;
import org.thetis.base.fault.DebugPoints;
import org.thetis.base.thread.Clock;
import org.thetis.base.thread.Executors;
import org.thetis.catalog.object.Backend;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.Transaction;
import org.thetis.catalog.persist.FinishTransaction;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.Replica;
import org.thetis.catalog.schema.Tablet;
import org.thetis.catalog.snapshot.CatalogReader;
import org.thetis.catalog.snapshot.CatalogSnapshot;
import org.thetis.cluster.task.AgentTasks;
import org.thetis.wire.thrift.PartitionVersion;

/**
 * Makes committed transactions visible: pushes their versions to all back ends that wrote, at once and in parallel, and repeats
 * for those that failed until enough replicas of every tablet have the version. Never gives up: a version is not skipped.
 */
final class Publisher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);
    private static final long RETRY_MILLIS = 500;

    private final TransactionSettings settings;
    private final AgentTasks tasks;
    private final CatalogReader catalog;
    private final DebugPoints debugPoints;
    private final Clock clock;
    private final ExecutorService callers = Executors.growing("publish", 1024);
    private final ScheduledExecutorService retries = Executors.scheduled("publish-retry", 1);

    /** Back ends that answer a call for replicas that miss earlier versions. */
    private final Set<Long> calledBehind = ConcurrentHashMap.newKeySet();

    Publisher(
            TransactionSettings settings,
            AgentTasks tasks,
            CatalogReader catalog,
            DebugPoints debugPoints,
            Clock clock) {
        this.settings = settings;
        this.tasks = tasks;
        this.catalog = catalog;
        this.debugPoints = debugPoints;
        this.clock = clock;
    }

    /** Completes, once enough replicas have the versions, with the record that makes them visible. */
    CompletableFuture<FinishTransaction> publish(Transaction transaction) {
        Job job = new Job(transaction, clock.millis());
        job.nextRound();
        return job.done;
    }

    /** One transaction on its way. Rounds follow each other; within a round, results come from many threads. */
    private final class Job {
        private final Transaction transaction;
        private final long startMillis;
        private final CompletableFuture<FinishTransaction> done = new CompletableFuture<>();
        private final Map<Long, Set<Long>> published = new HashMap<>(); // tablet -> back ends; guarded by itself
        private int round;

        Job(Transaction transaction, long startMillis) {
            this.transaction = transaction;
            this.startMillis = startMillis;
        }

        void nextRound() {
            round++;
            debugPoints.reach("Publisher.send", transaction.label());
            CatalogSnapshot snapshot = catalog.snapshot();
            if (round == 1) {
                sendToBehind(snapshot);
            }
            List<CompletableFuture<Void>> calls = new ArrayList<>();
            work(snapshot, true).forEach((backendId, partitions) -> {
                @Nullable Backend backend = snapshot.backends().get(backendId);
                if (backend != null) {
                    List<PartitionVersion> versions = List.copyOf(partitions.values());
                    calls.add(start(() -> call(backend, versions)));
                }
            });
            CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).whenComplete((ok, failure) -> evaluate());
        }

        /**
         * Replicas that miss an earlier version may wait for it before they answer, and do not count: nobody waits for them, and
         * one call to a back end at a time does. What they still miss afterwards is published again after their reports.
         */
        private void sendToBehind(CatalogSnapshot snapshot) {
            work(snapshot, false).forEach((backendId, partitions) -> {
                @Nullable Backend backend = snapshot.backends().get(backendId);
                if (backend != null && calledBehind.add(backendId)) {
                    List<PartitionVersion> versions = List.copyOf(partitions.values());
                    start(() -> call(backend, versions)).whenComplete((ok, failure) -> calledBehind.remove(backendId));
                }
            });
        }

        private CompletableFuture<Void> start(Runnable call) {
            try {
                return CompletableFuture.runAsync(call, callers);
            } catch (RejectedExecutionException e) {
                return CompletableFuture.completedFuture(null); // The next round tries again.
            }
        }

        /**
         * Per back end that wrote and has not answered yet: partitions with their tablets there, of replicas that have all earlier
         * versions or of those that miss one.
         */
        private Map<Long, Map<Long, PartitionVersion>> work(CatalogSnapshot snapshot, boolean complete) {
            Map<Long, Set<Long>> writers = new HashMap<>();
            transaction.tablets().forEach(write -> writers.put(write.tabletId(), Set.copyOf(write.backendIds())));
            Map<Long, Map<Long, PartitionVersion>> work = new TreeMap<>();
            for (Transaction.PartitionVersion taken : transaction.partitions()) {
                for (Tablet tablet : tablets(snapshot, taken)) {
                    for (Replica replica : tablet.replicas()) {
                        boolean wrote =
                                writers.getOrDefault(tablet.id(), Set.of()).contains(replica.backendId());
                        if (wrote
                                && replica.isComplete() == complete
                                && !isPublished(tablet.id(), replica.backendId())) {
                            work.computeIfAbsent(replica.backendId(), key -> new TreeMap<>())
                                    .computeIfAbsent(
                                            taken.partitionId(),
                                            key -> new PartitionVersion(
                                                    taken.partitionId(), taken.version(), new ArrayList<>()))
                                    .addToTablet_ids(tablet.id());
                        }
                    }
                }
            }
            return work;
        }

        private boolean isPublished(long tabletId, long backendId) {
            synchronized (published) {
                return published.getOrDefault(tabletId, Set.of()).contains(backendId);
            }
        }

        private void call(Backend backend, List<PartitionVersion> versions) {
            Map<Long, String> failures;
            try {
                Duration deadline = Duration.ofSeconds(settings.publishVersionTimeoutSecond());
                failures = tasks.publishVersion(backend, transaction.id(), versions, deadline);
            } catch (ThetisException e) {
                LOG.warn(
                        "A publish call failed: txn={} backend={} round={} reason={}",
                        transaction.id(),
                        backend.id(),
                        round,
                        e.text());
                return;
            }
            synchronized (published) {
                for (PartitionVersion version : versions) {
                    for (long tabletId : version.getTablet_ids()) {
                        @Nullable String reason = failures.get(tabletId);
                        if (reason == null) {
                            published
                                    .computeIfAbsent(tabletId, key -> new HashSet<>())
                                    .add(backend.id());
                        } else {
                            LOG.warn(
                                    "A replica was not published: txn={} tablet={} backend={} reason={}",
                                    transaction.id(),
                                    tabletId,
                                    backend.id(),
                                    reason);
                        }
                    }
                }
            }
        }

        private void evaluate() {
            CatalogSnapshot snapshot = catalog.snapshot();
            boolean late = clock.millis() - startMillis > settings.publishWaitTimeSecond() * 1000L;
            List<FinishTransaction.MissedReplica> missed = new ArrayList<>();
            boolean enough = true;
            for (Transaction.PartitionVersion taken : transaction.partitions()) {
                Optional<OlapTable> table = snapshot.findOlapTable(transaction.databaseId(), taken.tableId());
                for (Tablet tablet : tablets(snapshot, taken)) {
                    int good = 0;
                    for (Replica replica : tablet.replicas()) {
                        if (!isPublished(tablet.id(), replica.backendId())) {
                            missed.add(new FinishTransaction.MissedReplica(tablet.id(), replica.backendId()));
                        } else if (replica.isComplete()) {
                            good++;
                        }
                    }
                    int required = late
                            ? 1
                            : new CommitCheck(snapshot, settings.minLoadReplicaNum())
                                    .requiredReplicas(table.orElseThrow(), tablet);
                    enough &= good >= required;
                }
            }
            if (enough) {
                debugPoints.reach("Publisher.done", transaction.label());
                done.complete(
                        new FinishTransaction(transaction.databaseId(), transaction.id(), clock.millis(), missed));
            } else if (!retries.isShutdown()) {
                retries.schedule(this::nextRound, Math.min(round, 10) * RETRY_MILLIS, TimeUnit.MILLISECONDS);
            }
        }

        private List<Tablet> tablets(CatalogSnapshot snapshot, Transaction.PartitionVersion taken) {
            Optional<Partition> partition = snapshot.findOlapTable(transaction.databaseId(), taken.tableId())
                    .flatMap(table -> table.findPartition(taken.partitionId()));
            if (partition.isEmpty()) {
                return List.of();
            }
            // A load planned before a schema change did not write the shadow, which gets its rows by conversion.
            long base = partition.get().indexes().get(0).indexId();
            return partition.get().indexes().stream()
                    .filter(index -> index.indexId() == base || wrote(index))
                    .flatMap(index -> index.tablets().stream())
                    .toList();
        }

        private boolean wrote(Partition.IndexTablets index) {
            Set<Long> written = transaction.tablets().stream()
                    .map(Transaction.TabletWrite::tabletId)
                    .collect(Collectors.toSet());
            return index.tablets().stream().anyMatch(tablet -> written.contains(tablet.id()));
        }
    }

    @Override
    public void close() {
        Executors.stop(retries, Duration.ofMillis(100));
        Executors.stop(callers, Duration.ofSeconds(1));
    }
}
