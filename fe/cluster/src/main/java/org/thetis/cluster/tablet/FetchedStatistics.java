// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.tablet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.error.ThetisException;
import org.thetis.base.thread.Clock;
import org.thetis.base.thread.Executors;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.ColumnStatistics;
import org.thetis.catalog.schema.Replica;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.schema.Tablet;
import org.thetis.cluster.node.BackendState;
import org.thetis.cluster.node.NodeService;
import org.thetis.cluster.task.AgentTasks;

/**
 * Statistics of columns, asked of back ends when a plan first needs them and again, behind its back, when the table has grown or
 * shrunk much. A plan waits a moment for the first answer and does without when none comes. Thread-safe.
 */
public final class FetchedStatistics implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FetchedStatistics.class);
    private static final int MAX_TABLETS = 16;
    private static final int MAX_TABLES = 10_000;
    private static final Duration FIRST_WAIT = Duration.ofMillis(300);
    private static final Duration CALL_DEADLINE = Duration.ofSeconds(5);
    private static final long CHECK_MILLIS = 2_000;
    private static final double MUCH = 0.2;

    private final NodeService nodes;
    private final AgentTasks tasks;
    private final ReportedReplicas replicas;
    private final Clock clock;
    private final ConcurrentHashMap<Long, Entry> tables = new ConcurrentHashMap<>();
    private final ExecutorService worker = Executors.fixed("column-statistics", 1);

    /** What is known of one table; immutable but for the time of the last look. */
    private static final class Entry {
        private final double rows;
        private final Map<Integer, ColumnStatistics> columns;
        private final CompletableFuture<Map<Integer, ColumnStatistics>> coming;
        private volatile long checkedMillis;

        private Entry(
                double rows,
                Map<Integer, ColumnStatistics> columns,
                CompletableFuture<Map<Integer, ColumnStatistics>> coming,
                long checkedMillis) {
            this.rows = rows;
            this.columns = columns;
            this.coming = coming;
            this.checkedMillis = checkedMillis;
        }
    }

    public FetchedStatistics(NodeService nodes, AgentTasks tasks, ReportedReplicas replicas, Clock clock) {
        this.nodes = nodes;
        this.tasks = tasks;
        this.replicas = replicas;
        this.clock = clock;
    }

    /** What is known of the named columns, by unique id; without those nothing is known of. */
    public Map<Integer, ColumnStatistics> find(OlapTable table, Set<Integer> uniqueIds) {
        long now = clock.millis();
        Entry entry = tables.get(table.id());
        if (entry == null || !entry.columns.keySet().containsAll(uniqueIds) && entry.coming.isDone()) {
            double rows = replicas.numRows(table);
            if (rows == 0) {
                return Map.of();
            }
            entry = fetch(table, uniqueIds, rows, entry, now);
            return await(entry);
        }
        if (now - entry.checkedMillis > CHECK_MILLIS && entry.coming.isDone()) {
            entry.checkedMillis = now;
            double rows = replicas.numRows(table);
            if (Math.abs(rows - entry.rows) > MUCH * entry.rows) {
                fetch(table, uniqueIds, rows, entry, now);
            }
        }
        return entry.columns.isEmpty() ? await(entry) : entry.columns;
    }

    private Map<Integer, ColumnStatistics> await(Entry entry) {
        try {
            return entry.coming.get(FIRST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("Planning goes on without statistics", e);
        }
        return entry.columns;
    }

    private Entry fetch(OlapTable table, Set<Integer> uniqueIds, double rows, @Nullable Entry old, long now) {
        Set<Integer> wanted = new TreeSet<>(uniqueIds);
        Map<Integer, ColumnStatistics> known = old == null ? Map.of() : old.columns;
        wanted.addAll(known.keySet());
        CompletableFuture<Map<Integer, ColumnStatistics>> coming = new CompletableFuture<>();
        Entry entry = new Entry(rows, known, coming, now);
        if (tables.size() >= MAX_TABLES) {
            tables.clear();
        }
        tables.put(table.id(), entry);
        worker.execute(() -> {
            Map<Integer, ColumnStatistics> fetched = known;
            try {
                fetched = ask(table, wanted, rows);
            } catch (ThetisException e) {
                LOG.warn("Statistics could not be fetched: table={} reason={}", table.name(), e.text());
            }
            tables.replace(table.id(), entry, new Entry(rows, fetched, coming, now));
            coming.complete(fetched);
        });
        return entry;
    }

    /** Asks about some tablets, spread over the table; columns nothing came of are known as unknown. */
    private Map<Integer, ColumnStatistics> ask(OlapTable table, Set<Integer> wanted, double rows) {
        List<Tablet> tablets = new ArrayList<>();
        table.partitions().values().forEach(partition -> partition.tablets().stream()
                .filter(tablet -> replicas.tabletRows(tablet.id()).orElse(0) > 0)
                .forEach(tablets::add));
        Map<Long, List<Long>> byBackend = new HashMap<>();
        int step = Math.max(1, tablets.size() / MAX_TABLETS);
        for (int i = 0; i < tablets.size(); i += step) {
            Tablet tablet = tablets.get(i);
            for (Replica replica : tablet.replicas()) {
                if (nodes.isAlive(replica.backendId())) {
                    byBackend
                            .computeIfAbsent(replica.backendId(), key -> new ArrayList<>())
                            .add(tablet.id());
                    break;
                }
            }
        }
        Map<Integer, ColumnStatistics> found = new HashMap<>();
        byBackend.forEach((backendId, ids) -> {
            Optional<BackendState> backend = nodes.findBackend(backendId);
            if (backend.isPresent()) {
                tasks.columnStatistics(backend.get().backend(), ids, List.copyOf(wanted), CALL_DEADLINE)
                        .forEach((id, statistics) -> found.merge(id, statistics, ColumnStatistics::with));
            }
        });
        Map<Integer, ColumnStatistics> all = new HashMap<>();
        for (Integer id : wanted) {
            all.put(id, new ColumnStatistics(null, null, -1));
        }
        for (SchemaColumn column : table.columns()) {
            ColumnStatistics statistics = found.get(column.uniqueId());
            if (statistics != null) {
                all.put(column.uniqueId(), spread(statistics, column, rows));
            }
        }
        return Map.copyOf(all);
    }

    /** Of numbers, the tablets together have as many values as fit between the bounds, not as many as one of them. */
    private static ColumnStatistics spread(ColumnStatistics statistics, SchemaColumn column, double rows) {
        if (statistics.min() == null || statistics.max() == null || statistics.distinct() < 0) {
            return statistics;
        }
        double step = Math.pow(10, -column.type().scale());
        double values = column.type().isDecimal()
                ? (statistics.max() - statistics.min()) / step + 1
                : statistics.max() - statistics.min() + 1;
        return new ColumnStatistics(statistics.min(), statistics.max(), Math.max(1, Math.min(values, rows)));
    }

    @Override
    public void close() {
        Executors.stop(worker, Duration.ofSeconds(1));
    }
}
