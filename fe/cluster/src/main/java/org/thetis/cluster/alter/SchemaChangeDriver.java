// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.alter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.error.ThetisException;
import org.thetis.base.thread.Clock;
import org.thetis.base.thread.Executors;
import org.thetis.catalog.object.AlterJob;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.persist.CancelSchemaChange;
import org.thetis.catalog.persist.ChangeReplicas;
import org.thetis.catalog.persist.FinishSchemaChange;
import org.thetis.catalog.persist.SaveAlterJob;
import org.thetis.catalog.persist.StartSchemaChange;
import org.thetis.catalog.schema.IndexMeta;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.TableProperties;
import org.thetis.catalog.snapshot.CatalogReader;
import org.thetis.cluster.journal.IdAllocator;
import org.thetis.cluster.journal.Journal;
import org.thetis.cluster.tablet.TabletCreator;
import org.thetis.cluster.txn.TransactionService;

/**
 * Takes heavy schema changes from state to state. Every state is journalled, and each step may be repeated, so that a restarted
 * front end goes on where the catalog says. One thread; a step never waits long.
 */
public final class SchemaChangeDriver implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SchemaChangeDriver.class);
    private static final long POLL_MILLIS = 100;

    private final Journal journal;
    private final CatalogReader catalog;
    private final IdAllocator ids;
    private final TabletCreator tablets;
    private final TransactionService transactions;
    private final ShadowConversion conversion;
    private final Clock clock;
    private final ScheduledExecutorService worker = Executors.scheduled("schema-change", 1);
    private final ConcurrentHashMap<Long, ShadowConversion.Progress> progress = new ConcurrentHashMap<>();

    public SchemaChangeDriver(
            Journal journal,
            CatalogReader catalog,
            IdAllocator ids,
            TabletCreator tablets,
            TransactionService transactions,
            ShadowConversion conversion,
            Clock clock) {
        this.journal = journal;
        this.catalog = catalog;
        this.ids = ids;
        this.tablets = tablets;
        this.transactions = transactions;
        this.conversion = conversion;
        this.clock = clock;
    }

    /** Begins to look after jobs, those from before this process included. */
    public void start() {
        worker.scheduleWithFixedDelay(this::round, POLL_MILLIS, POLL_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** There is a new job. */
    void wake() {
        if (!worker.isShutdown()) {
            worker.execute(this::round);
        }
    }

    private void round() {
        for (AlterJob job : catalog.snapshot().alterJobs().values()) {
            if (!job.state().isFinal()) {
                try {
                    step(job);
                } catch (ThetisException e) {
                    LOG.warn(
                            "A step of a schema change failed: job={} state={} reason={}",
                            job.id(),
                            job.state(),
                            e.text());
                    giveUp(job, e.text());
                } catch (RuntimeException e) {
                    LOG.error("A step of a schema change failed: job={} state={}", job.id(), job.state(), e);
                }
            }
        }
    }

    private void step(AlterJob job) {
        Optional<OlapTable> table = catalog.snapshot().findOlapTable(job.databaseId(), job.tableId());
        if (table.isEmpty()) {
            giveUp(job, "the table was dropped");
            return;
        }
        if (clock.millis() - job.createMillis() > job.timeoutMillis()) {
            giveUp(job, "Timeout");
            return;
        }
        switch (job.state()) {
            case PENDING -> makeShadow(table.get(), job);
            case WAITING_TXN -> awaitOlder(table.get(), job);
            case RUNNING -> convert(table.get(), job);
            case FINISHED, CANCELLED -> {}
        }
    }

    private void makeShadow(OlapTable table, AlterJob job) {
        @Nullable IndexMeta shadow = job.shadow();
        if (shadow == null) {
            giveUp(job, "the job has no new columns");
            return;
        }
        try (TabletCreator.Created created = tablets.createShadow(table, shadow)) {
            Map<Long, Partition.IndexTablets> byPartition = new HashMap<>();
            created.partitions()
                    .forEach(partition ->
                            byPartition.put(partition.id(), partition.indexes().get(0)));
            created.journal(
                    journal, new StartSchemaChange(job.inState(AlterJob.State.WAITING_TXN, -1, Map.of()), byPartition));
            if (catalog.snapshot().findAlterJob(table.id()).isEmpty()) {
                created.discard(); // Cancelled meanwhile.
            }
        }
    }

    /** Loads that began before every new one was sure to write the shadow must have ended. */
    private void awaitOlder(OlapTable table, AlterJob job) {
        if (job.watershed() < 0) {
            journal.appendAndWait(new SaveAlterJob(job.inState(AlterJob.State.WAITING_TXN, ids.next(), Map.of())));
            return;
        }
        boolean waits = transactions.list(job.databaseId()).stream()
                .anyMatch(transaction -> transaction.isRunning()
                        && transaction.id() < job.watershed()
                        && transaction.tableIds().contains(table.id()));
        if (!waits) {
            journal.appendAndWait(new SaveAlterJob(job.inState(AlterJob.State.RUNNING, job.watershed(), Map.of())));
        }
    }

    private void convert(OlapTable table, AlterJob job) {
        if (job.versions().isEmpty()) {
            // Every commit from now on wrote the shadow; what was committed before is history.
            Map<Long, Long> versions = transactions.committedVersions(table.allPartitions());
            journal.appendAndWait(new SaveAlterJob(job.inState(AlterJob.State.RUNNING, job.watershed(), versions)));
            return;
        }
        boolean visible = table.allPartitions().stream()
                .allMatch(partition ->
                        partition.visibleVersion() >= job.versions().getOrDefault(partition.id(), 1L));
        if (!visible) {
            return;
        }
        ShadowConversion.Progress state = progress.computeIfAbsent(job.id(), id -> conversion.begin(table, job));
        Optional<String> failure = state.advance();
        if (failure.isPresent()) {
            giveUp(job, failure.get());
        } else if (state.isDone()) {
            finish(table, job, state);
        }
    }

    private void finish(OlapTable table, AlterJob job, ShadowConversion.Progress state) {
        List<ChangeReplicas.ReplicaChange> broken = state.brokenReplicas(clock.millis());
        if (!broken.isEmpty()) {
            journal.appendAndWait(new ChangeReplicas(broken));
        }
        List<Partition> old = table.allPartitions().stream()
                .map(partition ->
                        partition.withIndexes(List.of(partition.indexes().get(0))))
                .toList();
        try (TabletCreator.Replacing replacing = tablets.replacing(old)) {
            journal.appendAndWait(new FinishSchemaChange(job.id(), clock.millis(), properties(table)));
            progress.remove(job.id());
            boolean finished = catalog.snapshot()
                    .alterJobs()
                    .find(job.id())
                    .map(ended -> ended.state() == AlterJob.State.FINISHED)
                    .orElse(false);
            if (finished) {
                LOG.info("A schema change is finished: job={} table={}", job.id(), table.name());
                replacing.replaced();
            }
        }
    }

    /** The properties without bloom filters of columns that are gone; null when they stay as they are. */
    private static @Nullable TableProperties properties(OlapTable table) {
        Optional<IndexMeta> shadow = table.shadowIndex();
        List<String> before = table.properties().bloomFilterColumns();
        if (shadow.isEmpty() || before.isEmpty()) {
            return null;
        }
        List<String> kept = before.stream()
                .filter(name -> shadow.get().findColumn(name).isPresent())
                .toList();
        if (kept.size() == before.size()) {
            return null;
        }
        Map<String, String> values = new HashMap<>(table.properties().values());
        values.remove(TableProperties.BLOOM_FILTER_COLUMNS);
        if (!kept.isEmpty()) {
            values.put(TableProperties.BLOOM_FILTER_COLUMNS, kept.stream().collect(Collectors.joining(",")));
        }
        return new TableProperties(values);
    }

    private void giveUp(AlterJob job, String reason) {
        Optional<OlapTable> table = catalog.snapshot().findOlapTable(job.databaseId(), job.tableId());
        try {
            journal.appendAndWait(new CancelSchemaChange(job.id(), clock.millis(), reason));
        } catch (ThetisException e) {
            LOG.warn("A schema change could not be cancelled: job={} reason={}", job.id(), e.text());
            return;
        }
        LOG.warn("A schema change was cancelled: job={} reason={}", job.id(), reason);
        table.ifPresent(known -> discard(known, job));
    }

    /** Stops what back ends do for a cancelled job and drops its tablets; `table` is as it was before. */
    void discard(OlapTable table, AlterJob job) {
        progress.remove(job.id());
        List<Partition> shadows = new ArrayList<>();
        for (Partition partition : table.allPartitions()) {
            List<Partition.IndexTablets> shadow = partition.indexes().stream()
                    .filter(index -> index.indexId() == job.indexId())
                    .toList();
            if (!shadow.isEmpty()) {
                shadows.add(partition.withIndexes(shadow));
            }
        }
        conversion.cancel(job);
        tablets.dropTablets(shadows);
    }

    /** Converted tablets of how many, for SHOW ALTER TABLE. */
    public String progressOf(AlterJob job) {
        ShadowConversion.@Nullable Progress state = progress.get(job.id());
        return state == null ? "N/A" : state.toString();
    }

    @Override
    public void close() {
        Executors.stop(worker, Duration.ofSeconds(1));
        conversion.close();
    }
}
