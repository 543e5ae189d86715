// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.tablet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.config.TableSettings;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.thread.Clock;
import org.thetis.base.thread.Executors;
import org.thetis.base.thread.PeriodicJob;
import org.thetis.catalog.object.Backend;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.TableDescriptors;
import org.thetis.catalog.persist.JournalRecord;
import org.thetis.catalog.schema.Distribution;
import org.thetis.catalog.schema.IndexMeta;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.PartitionItem;
import org.thetis.catalog.schema.Replica;
import org.thetis.catalog.schema.Tablet;
import org.thetis.cluster.journal.IdAllocator;
import org.thetis.cluster.journal.Journal;
import org.thetis.cluster.node.BackendState;
import org.thetis.cluster.node.NodeService;
import org.thetis.cluster.task.AgentTasks;
import org.thetis.wire.thrift.CreateTablet;
import org.thetis.wire.thrift.TabletSchemaDesc;

/**
 * Makes partitions with their tablets: places replicas on the back ends that hold least, creates them there in batches and in
 * parallel, and removes everything again when one fails. Thread-safe.
 */
public final class TabletCreator implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TabletCreator.class);
    private static final int TABLETS_PER_CALL = 200;
    private static final Duration DROP_DELAY = Duration.ofSeconds(60);
    private static final Duration DROP_POLL = Duration.ofMillis(500);
    private static final Duration DROP_DEADLINE = Duration.ofSeconds(30);

    private final TableSettings settings;
    private final NodeService nodes;
    private final AgentTasks tasks;
    private final IdAllocator ids;
    private final ReplicaDirectory replicas;
    private final PendingTablets pending;
    private final Clock clock;
    private final ExecutorService callers = Executors.growing("tablet-tasks", 256);
    private final ConcurrentLinkedQueue<Replaced> replaced = new ConcurrentLinkedQueue<>();
    private final PeriodicJob drops = new PeriodicJob("tablet-drops", () -> DROP_POLL, this::dropReplaced);

    /** Partitions whose tablets are dropped when it is time. */
    private record Replaced(long dueMillis, List<Partition> partitions, List<Long> tabletIds) {}

    public TabletCreator(
            TableSettings settings,
            NodeService nodes,
            AgentTasks tasks,
            IdAllocator ids,
            ReplicaDirectory replicas,
            PendingTablets pending,
            Clock clock) {
        this.settings = settings;
        this.nodes = nodes;
        this.tasks = tasks;
        this.ids = ids;
        this.replicas = replicas;
        this.pending = pending;
        this.clock = clock;
    }

    /** From now on tablets of partitions that were {@link #replacing replaced} are dropped when it is time. */
    public void start() {
        drops.start();
    }

    /** A partition to make. */
    public record PartitionRequest(
            String name,
            PartitionItem item,
            Distribution distribution,
            int replicationNum,
            Map<String, String> properties) {}

    /**
     * New partitions whose tablets exist on the back ends. Close it once {@link #journal} gave them to the catalog, or after {@link
     * #discard}. Used by one thread.
     */
    public final class Created implements AutoCloseable {
        private final List<Partition> partitions;

        /** Done when the record that has the partitions is applied or will not be. */
        private CompletableFuture<Void> decided = CompletableFuture.completedFuture(null);

        private Created(List<Partition> partitions) {
            this.partitions = partitions;
        }

        public List<Partition> partitions() {
            return partitions;
        }

        /**
         * Logs the record that gives the partitions to the catalog, and waits for it. When nothing was logged, the tablets are
         * dropped. When the wait fails, the record may be applied all the same, at once or later: then they stay, hidden from reports
         * until it is decided, and are what the catalog has or what reports find to be leftovers.
         */
        public void journal(Journal journal, JournalRecord record) {
            try {
                decided = journal.append(record);
            } catch (RuntimeException notLogged) {
                discard();
                throw notLogged;
            }
            journal.await(decided);
        }

        /** Drops the tablets again. */
        public void discard() {
            dropTablets(partitions);
        }

        @Override
        public void close() {
            decided.whenComplete((applied, failure) -> pending.remove(tabletIds(partitions)));
        }
    }

    /** Back ends that can take new replicas now. */
    public List<BackendState> candidates() {
        return nodes.backends().stream().filter(BackendState::isLoadable).toList();
    }

    /** Creates the partitions for the indexes of the table; fails, leaving nothing behind, when a back end fails. */
    public Created create(OlapTable table, List<PartitionRequest> requests) {
        Placement placement = new Placement(candidates());
        List<Partition> partitions = new ArrayList<>();
        for (PartitionRequest request : requests) {
            partitions.add(partition(table, request, placement));
        }
        Created created = new Created(List.copyOf(partitions));
        pending.add(tabletIds(partitions));
        Map<Long, List<CreateTablet>> work = new TreeMap<>();
        for (IndexMeta index : table.indexes()) {
            TabletSchemaDesc schema = TableDescriptors.tabletSchema(table, index);
            partitions.forEach(partition -> addWork(work, schema, partition, index.id(), false));
        }
        createOrDiscard(created, work);
        return created;
    }

    /** Creates tablets of another index, replica beside replica of the base index's; fails, leaving nothing behind. */
    public Created createShadow(OlapTable table, IndexMeta shadow) {
        List<Partition> partitions = new ArrayList<>();
        for (Partition partition : table.allPartitions()) {
            List<Tablet> tablets = new ArrayList<>();
            for (Tablet tablet : partition.tablets()) {
                List<Replica> copies = tablet.replicas().stream()
                        .map(replica -> Replica.healthy(ids.next(), replica.backendId()))
                        .toList();
                tablets.add(new Tablet(ids.next(), copies));
            }
            partitions.add(partition.withIndexes(List.of(new Partition.IndexTablets(shadow.id(), tablets))));
        }
        Created created = new Created(List.copyOf(partitions));
        pending.add(tabletIds(partitions));
        TabletSchemaDesc schema = TableDescriptors.tabletSchema(table, shadow);
        Map<Long, List<CreateTablet>> work = new TreeMap<>();
        partitions.forEach(partition -> addWork(work, schema, partition, shadow.id(), true));
        createOrDiscard(created, work);
        return created;
    }

    private void createOrDiscard(Created created, Map<Long, List<CreateTablet>> work) {
        boolean done = false;
        try {
            createOnBackends(work);
            done = true;
        } finally {
            if (!done) {
                created.discard();
                created.close();
            }
        }
    }

    private Partition partition(OlapTable table, PartitionRequest request, Placement placement) {
        List<Partition.IndexTablets> indexes = new ArrayList<>();
        for (IndexMeta index : table.indexes()) {
            List<Tablet> tablets = new ArrayList<>();
            for (int bucket = 0; bucket < request.distribution.buckets(); bucket++) {
                List<Replica> copies = new ArrayList<>();
                for (long backend : placement.choose(request.replicationNum)) {
                    copies.add(Replica.healthy(ids.next(), backend));
                }
                tablets.add(new Tablet(ids.next(), copies));
            }
            indexes.add(new Partition.IndexTablets(index.id(), tablets));
        }
        return new Partition(
                ids.next(),
                request.name,
                request.item,
                request.distribution,
                request.replicationNum,
                request.properties,
                Partition.FIRST_VERSION,
                clock.millis(),
                Partition.FIRST_VERSION,
                indexes);
    }

    /** Hands out back ends, the emptiest first, and counts what it gave. */
    private final class Placement {
        private final Map<Long, Long> load = new TreeMap<>();

        Placement(List<BackendState> candidates) {
            for (BackendState state : candidates) {
                load.put(state.id(), replicas.numTablets(state.id()));
            }
        }

        List<Long> choose(int number) {
            if (number > load.size()) {
                throw ThetisException.of(
                        ErrorCode.INVALID_ARGUMENT,
                        "Failed to find enough backend, please check the replication num, replication tag and storage medium. "
                                + "replication num is %d, available backend num is %d",
                        number,
                        load.size());
            }
            List<Long> chosen = load.entrySet().stream()
                    .sorted(Map.Entry.<Long, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                    .limit(number)
                    .map(Map.Entry::getKey)
                    .toList();
            chosen.forEach(id -> load.merge(id, 1L, Long::sum));
            return chosen;
        }
    }

    private void createOnBackends(Map<Long, List<CreateTablet>> work) {
        Map<Long, Backend> backends = new HashMap<>();
        nodes.backends().forEach(state -> backends.put(state.id(), state.backend()));
        int numTablets = work.values().stream().mapToInt(List::size).sum();
        Duration deadline = deadline(numTablets);
        ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
        List<CompletableFuture<Void>> calls = new ArrayList<>();
        work.forEach((backendId, tablets) -> {
            @Nullable Backend backend = backends.get(backendId);
            if (backend == null) {
                failures.add("back end " + backendId + " is gone");
            } else {
                calls.add(CompletableFuture.runAsync(() -> createOn(backend, tablets, deadline, failures), callers));
            }
        });
        try {
            CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new))
                    .get(deadline.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ThetisException(ErrorCode.CANCELLED, "interrupted while tablets were created", e);
        } catch (TimeoutException e) {
            throw new ThetisException(
                    ErrorCode.TIMEOUT,
                    "Failed to create " + numTablets + " tablets within " + deadline.toSeconds() + " s",
                    e);
        } catch (ExecutionException e) {
            failures.add(String.valueOf(e.getCause()));
        }
        if (!failures.isEmpty()) {
            throw new ThetisException(
                    ErrorCode.RPC_ERROR,
                    "Failed to create tablets: "
                            + String.join("; ", failures.stream().limit(3).toList()));
        }
    }

    private static void addWork(
            Map<Long, List<CreateTablet>> work,
            TabletSchemaDesc schema,
            Partition partition,
            long indexId,
            boolean isShadow) {
        for (Partition.IndexTablets index : partition.indexes()) {
            if (index.indexId() != indexId) {
                continue;
            }
            for (Tablet tablet : index.tablets()) {
                for (Replica replica : tablet.replicas()) {
                    CreateTablet task = new CreateTablet(tablet.id(), partition.id(), replica.id(), schema);
                    task.setVersion(Partition.FIRST_VERSION);
                    task.setIs_shadow(isShadow);
                    work.computeIfAbsent(replica.backendId(), key -> new ArrayList<>())
                            .add(task);
                }
            }
        }
    }

    private void createOn(Backend backend, List<CreateTablet> tablets, Duration deadline, Collection<String> failures) {
        for (int from = 0; from < tablets.size() && failures.isEmpty(); from += TABLETS_PER_CALL) {
            List<CreateTablet> batch = tablets.subList(from, Math.min(from + TABLETS_PER_CALL, tablets.size()));
            try {
                tasks.createTablets(backend, batch, deadline)
                        .forEach((tablet, reason) -> failures.add("tablet " + tablet + " on back end " + backend.id()
                                + " (" + backend.host() + "): " + reason));
            } catch (ThetisException e) {
                failures.add(e.text());
            }
        }
    }

    private Duration deadline(int numTablets) {
        long seconds = (long) settings.tabletCreateTimeoutSecond() * numTablets;
        return Duration.ofSeconds(Math.max(
                settings.minCreateTableTimeoutSecond(), Math.min(settings.maxCreateTableTimeoutSecond(), seconds)));
    }

    /**
     * Partitions (or some of their indexes) that a journal record is about to take out of the catalog. From now on no report makes
     * their tablets leftovers; when they are {@link Replacing#replaced replaced}, they are dropped a minute later, so that queries
     * planned while they were in use can still read them. One that takes longer and has given no row yet is planned again.
     */
    public Replacing replacing(Collection<Partition> partitions) {
        return new Replacing(List.copyOf(partitions));
    }

    /** See {@link #replacing}; closing it after a failure leaves the tablets to the catalog. Used by one thread. */
    public final class Replacing implements AutoCloseable {
        private final List<Partition> partitions;
        private final List<Long> tabletIds;
        private boolean isReplaced;

        private Replacing(List<Partition> partitions) {
            this.partitions = partitions;
            this.tabletIds = tabletIds(partitions);
            pending.add(tabletIds);
        }

        /** Call when the catalog no longer has the partitions. */
        public void replaced() {
            isReplaced = true;
            replaced.add(new Replaced(clock.millis() + DROP_DELAY.toMillis(), partitions, tabletIds));
        }

        @Override
        public void close() {
            if (!isReplaced) {
                pending.remove(tabletIds);
            }
        }
    }

    private void dropReplaced() {
        @Nullable Replaced next = replaced.peek();
        while (next != null && next.dueMillis <= clock.millis()) {
            replaced.remove(next);
            dropTablets(next.partitions);
            pending.remove(next.tabletIds);
            next = replaced.peek();
        }
    }

    /** Drops the tablets of partitions the catalog no longer has, without waiting; what fails is found again by reports. */
    public void dropTablets(Collection<Partition> partitions) {
        Map<Long, List<Long>> work = new TreeMap<>();
        for (Partition partition : partitions) {
            partition.indexes().forEach(index -> index.tablets().forEach(tablet -> tablet.replicas()
                    .forEach(replica -> work.computeIfAbsent(replica.backendId(), key -> new ArrayList<>())
                            .add(tablet.id()))));
        }
        work.forEach((backendId, tablets) -> nodes.findBackend(backendId)
                .filter(BackendState::alive)
                .ifPresent(state -> callers.execute(() -> dropOn(state.backend(), tablets))));
    }

    private void dropOn(Backend backend, List<Long> tablets) {
        try {
            Map<Long, String> failures = tasks.dropTablets(backend, tablets, DROP_DEADLINE);
            failures.forEach((tablet, reason) ->
                    LOG.warn("A tablet was not dropped: tablet={} backend={} reason={}", tablet, backend.id(), reason));
        } catch (ThetisException e) {
            LOG.warn(
                    "Tablets were not dropped: number={} backend={} reason={}", tablets.size(), backend.id(), e.text());
        }
    }

    private static List<Long> tabletIds(Collection<Partition> partitions) {
        return partitions.stream()
                .flatMap(partition -> partition.indexes().stream())
                .flatMap(index -> index.tablets().stream())
                .map(Tablet::id)
                .sorted(Comparator.naturalOrder())
                .toList();
    }

    @Override
    public void close() {
        drops.close();
        Executors.stop(callers, Duration.ofSeconds(1));
    }
}
