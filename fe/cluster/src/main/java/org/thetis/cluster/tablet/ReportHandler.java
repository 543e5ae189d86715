// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.tablet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.config.NodeSettings;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.thread.Clock;
import org.thetis.base.thread.Executors;
import org.thetis.catalog.object.Backend;
import org.thetis.catalog.object.Database;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.persist.ChangeReplicas;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.Replica;
import org.thetis.catalog.schema.Tablet;
import org.thetis.catalog.snapshot.CatalogReader;
import org.thetis.catalog.snapshot.CatalogSnapshot;
import org.thetis.catalog.snapshot.TabletPlace;
import org.thetis.cluster.journal.Journal;
import org.thetis.cluster.node.BackendState;
import org.thetis.cluster.node.ClusterNodes;
import org.thetis.cluster.node.NodeListener;
import org.thetis.cluster.task.AgentTasks;
import org.thetis.wire.thrift.ReplicaReport;
import org.thetis.wire.thrift.ReportRequest;

/**
 * Compares reports with the catalog. What a report says may be a moment old: a publish, a create, or the swap of a schema change
 * may have happened since. So a replica counts as behind or lost only when two reports in a row say so against what the catalog held
 * at the first, or when a gap in its versions stays.
 */
public final class ReportHandler implements TabletReports, NodeListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReportHandler.class);
    private static final Duration DROP_DEADLINE = Duration.ofSeconds(30);

    private final NodeSettings settings;
    private final Journal journal;
    private final CatalogReader catalog;
    private final ClusterNodes nodes;
    private final AgentTasks tasks;
    private final ReportedReplicas replicas;
    private final PendingTablets pending;
    private final RepublishMissed republish;
    private final Clock clock;
    private final ConcurrentHashMap<Long, Suspicions> suspicions = new ConcurrentHashMap<>();
    private final ExecutorService worker = Executors.fixed("report-actions", 2);

    /** What one back end's last report left in doubt. Used by one report at a time. */
    private static final class Suspicions {
        private long lastReportVersion = -1;
        private final Map<Long, Long> expectedVersions = new HashMap<>();
        private final Set<Long> absent = new HashSet<>();
    }

    public ReportHandler(
            NodeSettings settings,
            Journal journal,
            CatalogReader catalog,
            ClusterNodes nodes,
            AgentTasks tasks,
            ReportedReplicas replicas,
            PendingTablets pending,
            Clock clock) {
        this.settings = settings;
        this.journal = journal;
        this.catalog = catalog;
        this.nodes = nodes;
        this.tasks = tasks;
        this.replicas = replicas;
        this.pending = pending;
        this.republish = new RepublishMissed(tasks, catalog);
        this.clock = clock;
    }

    @Override
    public void report(ReportRequest request) {
        if (settings.enableTokenCheck() && !request.getToken().equals(nodes.token())) {
            throw new ThetisException(
                    ErrorCode.ACCESS_DENIED, "a report of back end " + request.getBackend_id() + " has a wrong token");
        }
        Backend backend = catalog.snapshot()
                .backends()
                .find(request.getBackend_id())
                .orElseThrow(() ->
                        new ThetisException(ErrorCode.NOT_FOUND, "no back end has the id " + request.getBackend_id()));
        List<BackendState.Disk> disks = new ArrayList<>();
        if (request.isSetDisks()) {
            request.getDisks()
                    .forEach(disk -> disks.add(new BackendState.Disk(
                            disk.getPath(),
                            disk.getTotal_bytes(),
                            disk.getAvailable_bytes(),
                            disk.getUsed_bytes(),
                            disk.isUsed())));
        }
        nodes.noteReport(backend.id(), disks);
        if (!request.isSetReplicas()) {
            return;
        }
        Suspicions known = suspicions.computeIfAbsent(backend.id(), key -> new Suspicions());
        synchronized (known) {
            if (request.getReport_version() < known.lastReportVersion) {
                return;
            }
            known.lastReportVersion = request.getReport_version();
            replicas.take(backend.id(), request.getReplicas(), request.isFull());
            if (journal.isLeader()) {
                compare(backend, request.getReplicas(), request.isFull(), known);
            }
        }
    }

    private void compare(Backend backend, List<ReplicaReport> reports, boolean full, Suspicions known) {
        List<Long> unknown = new ArrayList<>();
        List<ChangeReplicas.ReplicaChange> changes = new ArrayList<>();
        List<RepublishMissed.Behind> behind = new ArrayList<>();
        Set<Long> reported = new HashSet<>();
        for (ReplicaReport report : reports) {
            reported.add(report.getTablet_id());
            // Asked before the catalog, which has a new tablet before it leaves `pending`, and after it, which has a
            // replaced one
            // until after it came to `pending`.
            boolean wasPending = pending.contains(report.getTablet_id());
            CatalogSnapshot snapshot = catalog.snapshot();
            Optional<Replica> replica =
                    snapshot.findTablet(report.getTablet_id()).flatMap(tablet -> tablet.replicaOn(backend.id()));
            if (replica.isEmpty()) {
                if (!wasPending
                        && !pending.contains(report.getTablet_id())
                        && !snapshot.recycleBin().holdsTablet(report.getTablet_id())) {
                    unknown.add(report.getTablet_id());
                }
                continue;
            }
            compareReplica(snapshot, backend.id(), report, replica.get(), known, changes, behind);
        }
        if (full) {
            findLost(backend.id(), reported, known, changes);
        }
        act(backend, unknown, changes, behind);
    }

    private void compareReplica(
            CatalogSnapshot snapshot,
            long backendId,
            ReplicaReport report,
            Replica replica,
            Suspicions known,
            List<ChangeReplicas.ReplicaChange> changes,
            List<RepublishMissed.Behind> behind) {
        long tabletId = report.getTablet_id();
        TabletPlace place = snapshot.findTabletPlace(tabletId).orElseThrow();
        if (isShadow(snapshot, place)) {
            // Until its history is converted a shadow has gaps that nobody can fill.
            return;
        }
        long visible =
                snapshot.findPartition(place).map(Partition::visibleVersion).orElse(0L);
        long version = report.getVersion();
        if (!report.isUsed()) {
            if (!replica.bad()) {
                LOG.warn("A replica is bad: tablet={} backend={}", tabletId, backendId);
                changes.add(change(tabletId, backendId, replica.lastFailedVersion(), true));
            }
            return;
        }
        if (version >= visible) {
            known.expectedVersions.remove(tabletId);
            if (replica.lastFailedVersion() >= 0 || replica.bad()) {
                LOG.info("A replica is whole again: tablet={} backend={} version={}", tabletId, backendId, version);
                changes.add(change(tabletId, backendId, -1, false));
            }
            return;
        }
        @Nullable Long expected = known.expectedVersions.put(tabletId, visible);
        boolean confirmed = replicas.hasLastingGap(tabletId, backendId) || (expected != null && version < expected);
        if (confirmed || replica.lastFailedVersion() >= 0) {
            behind.add(new RepublishMissed.Behind(place, tabletId, version, visible));
        }
        if (confirmed && replica.lastFailedVersion() < 0) {
            LOG.warn(
                    "A replica is behind: tablet={} backend={} version={} visible={}",
                    tabletId,
                    backendId,
                    version,
                    visible);
            changes.add(change(tabletId, backendId, version + 1, false));
        }
    }

    private static boolean isShadow(CatalogSnapshot snapshot, TabletPlace place) {
        return snapshot.findOlapTable(place.databaseId(), place.tableId())
                .map(table -> table.baseIndex().id() != place.indexId())
                .orElse(false);
    }

    private ChangeReplicas.ReplicaChange change(long tabletId, long backendId, long lastFailedVersion, boolean bad) {
        return new ChangeReplicas.ReplicaChange(tabletId, backendId, lastFailedVersion, clock.millis(), bad);
    }

    /** Replicas the catalog places here that two full reports in a row did not name. */
    private void findLost(
            long backendId, Set<Long> reported, Suspicions known, List<ChangeReplicas.ReplicaChange> changes) {
        Set<Long> absent = new HashSet<>();
        for (Database database : catalog.snapshot().databases().values()) {
            for (OlapTable table : database.olapTables()) {
                for (Tablet tablet : table.tablets()) {
                    Optional<Replica> replica = tablet.replicaOn(backendId);
                    if (replica.isEmpty() || replica.get().bad() || reported.contains(tablet.id())) {
                        continue;
                    }
                    absent.add(tablet.id());
                    if (known.absent.contains(tablet.id())) {
                        LOG.warn("A replica is lost: tablet={} backend={}", tablet.id(), backendId);
                        changes.add(change(tablet.id(), backendId, replica.get().lastFailedVersion(), true));
                    }
                }
            }
        }
        known.absent.clear();
        known.absent.addAll(absent);
    }

    private void act(
            Backend backend,
            List<Long> unknown,
            List<ChangeReplicas.ReplicaChange> changes,
            List<RepublishMissed.Behind> behind) {
        if (!changes.isEmpty()) {
            journal.append(new ChangeReplicas(changes));
        }
        if (!unknown.isEmpty()) {
            LOG.info("Tablets that no table has are dropped: number={} backend={}", unknown.size(), backend.id());
            worker.execute(() -> quietly("drop tablets", () -> tasks.dropTablets(backend, unknown, DROP_DEADLINE)));
        }
        if (!behind.isEmpty()) {
            worker.execute(() -> quietly("publish again", () -> republish.run(backend, behind)));
        }
    }

    private static void quietly(String what, Runnable action) {
        try {
            action.run();
        } catch (ThetisException e) {
            LOG.warn("What a report asked for failed: action={} reason={}", what, e.text());
        }
    }

    @Override
    public void backendRestarted(long backendId) {
        // The new process counts its reports anew.
        suspicions.remove(backendId);
    }

    @Override
    public void close() {
        Executors.stop(worker, Duration.ofSeconds(1));
    }
}
