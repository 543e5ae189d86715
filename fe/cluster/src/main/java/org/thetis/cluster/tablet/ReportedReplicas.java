// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.tablet;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.thread.Clock;
import org.thetis.catalog.object.Database;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.Replica;
import org.thetis.catalog.schema.Tablet;
import org.thetis.catalog.snapshot.CatalogReader;
import org.thetis.catalog.snapshot.CatalogSnapshot;
import org.thetis.cluster.node.NodeService;
import org.thetis.wire.thrift.ReplicaReport;

/** The last word of each back end on each of its replicas, and what follows for reading them. */
public final class ReportedReplicas implements ReplicaDirectory {
    /** How long a gap may be a publish or a conversion that has just not been reported. */
    private static final long GAP_MILLIS = 10_000;

    private final NodeService nodes;
    private final CatalogReader catalog;
    private final Clock clock;
    private final ConcurrentHashMap<Long, ConcurrentHashMap<Long, ReplicaState>> byBackend = new ConcurrentHashMap<>();
    private final AtomicLong turn = new AtomicLong();

    public ReportedReplicas(NodeService nodes, CatalogReader catalog, Clock clock) {
        this.nodes = nodes;
        this.catalog = catalog;
        this.clock = clock;
    }

    /** Takes states over; a full report also forgets what it does not name. */
    void take(long backendId, List<ReplicaReport> reports, boolean full) {
        ConcurrentHashMap<Long, ReplicaState> states = new ConcurrentHashMap<>();
        CatalogSnapshot snapshot = catalog.snapshot();
        for (ReplicaReport report : reports) {
            states.put(
                    report.getTablet_id(),
                    new ReplicaState(
                            report.getTablet_id(),
                            backendId,
                            report.getVersion(),
                            report.getNum_rows(),
                            report.getData_size_bytes(),
                            report.getNum_versions(),
                            report.isVersion_miss() ? missingSince(snapshot, backendId, report) : 0,
                            !report.isUsed(),
                            clock.millis()));
        }
        if (full) {
            byBackend.put(backendId, states);
        } else {
            byBackend
                    .computeIfAbsent(backendId, key -> new ConcurrentHashMap<>())
                    .putAll(states);
        }
    }

    /** A shadow of a schema change has a gap until its history is converted, which says nothing of the replica. */
    private long missingSince(CatalogSnapshot snapshot, long backendId, ReplicaReport report) {
        boolean isShadow = snapshot.findTabletPlace(report.getTablet_id())
                .flatMap(place -> snapshot.findOlapTable(place.databaseId(), place.tableId())
                        .map(table -> table.baseIndex().id() != place.indexId()))
                .orElse(false);
        if (isShadow) {
            return 0;
        }
        @Nullable ReplicaState before = state(report.getTablet_id(), backendId);
        return before != null && before.missingSinceMillis() > 0 && before.version() == report.getVersion()
                ? before.missingSinceMillis()
                : Math.max(1, clock.millis());
    }

    void forget(long backendId) {
        byBackend.remove(backendId);
    }

    @Override
    public List<Long> usableBackends(Tablet tablet, long version) {
        List<Long> usable = new ArrayList<>();
        for (Replica replica : tablet.replicas()) {
            if (lack(tablet, replica, version) == null) {
                usable.add(replica.backendId());
            }
        }
        if (usable.isEmpty()) {
            List<String> reasons = tablet.replicas().stream()
                    .map(replica -> "backend " + replica.backendId() + ": " + lack(tablet, replica, version))
                    .toList();
            throw new ThetisException(
                    ErrorCode.MISSING_VERSION,
                    "tablet " + tablet.id() + " has no queryable replicas at version " + version + ". "
                            + String.join("; ", reasons));
        }
        return usable;
    }

    /** Why the replica cannot serve the version, or null when it can. */
    private @Nullable String lack(Tablet tablet, Replica replica, long version) {
        if (!nodes.isAlive(replica.backendId())) {
            return "not alive";
        }
        if (replica.bad()) {
            return "bad replica";
        }
        if (!replica.hasVersion(version)) {
            return "missed version " + replica.lastFailedVersion();
        }
        @Nullable ReplicaState state = state(tablet.id(), replica.backendId());
        if (state != null && state.bad()) {
            return "bad replica";
        }
        // A reported version below the one asked for may just be older than the last publish: only a gap that stays
        // counts. Until then a back end that cannot read the version says so, and the query is planned again.
        if (state != null && state.version() < version && isLasting(state)) {
            return "reported version " + state.version() + " with a gap after it";
        }
        return null;
    }

    /** Whether reports have named the same missing version for longer than a publish or a conversion may take to be reported. */
    boolean hasLastingGap(long tabletId, long backendId) {
        @Nullable ReplicaState state = state(tabletId, backendId);
        return state != null && isLasting(state);
    }

    private boolean isLasting(ReplicaState state) {
        return state.missingSinceMillis() > 0 && clock.millis() - state.missingSinceMillis() >= GAP_MILLIS;
    }

    @Override
    public long chooseReplica(Tablet tablet, long version) {
        List<Long> usable = usableBackends(tablet, version);
        return usable.size() == 1
                ? usable.get(0)
                : usable.get((int) Math.floorMod(turn.getAndIncrement(), (long) usable.size()));
    }

    private @Nullable ReplicaState state(long tabletId, long backendId) {
        @Nullable Map<Long, ReplicaState> states = byBackend.get(backendId);
        return states == null ? null : states.get(tabletId);
    }

    @Override
    public Optional<ReplicaState> find(long tabletId, long backendId) {
        return Optional.ofNullable(state(tabletId, backendId));
    }

    @Override
    public OptionalLong tabletRows(long tabletId) {
        return catalog.snapshot()
                .findTablet(tabletId)
                .map(this::newest)
                .map(state -> OptionalLong.of(state.numRows()))
                .orElse(OptionalLong.empty());
    }

    /** The report of the most complete replica. */
    private @Nullable ReplicaState newest(Tablet tablet) {
        ReplicaState newest = null;
        for (Replica replica : tablet.replicas()) {
            @Nullable ReplicaState state = state(tablet.id(), replica.backendId());
            if (state != null && (newest == null || state.version() > newest.version())) {
                newest = state;
            }
        }
        return newest;
    }

    @Override
    public long numRows(OlapTable table) {
        return table.partitions().values().stream().mapToLong(this::numRows).sum();
    }

    @Override
    public long numRows(Partition partition) {
        long sum = 0;
        for (Tablet tablet : partition.tablets()) {
            @Nullable ReplicaState state = newest(tablet);
            sum += state == null ? 0 : state.numRows();
        }
        return sum;
    }

    @Override
    public long dataBytes(OlapTable table) {
        return table.partitions().values().stream().mapToLong(this::dataBytes).sum();
    }

    @Override
    public long dataBytes(Partition partition) {
        long sum = 0;
        for (Partition.IndexTablets index : partition.indexes()) {
            for (Tablet tablet : index.tablets()) {
                @Nullable ReplicaState state = newest(tablet);
                sum += state == null ? 0 : state.dataBytes();
            }
        }
        return sum;
    }

    @Override
    public long numTablets(long backendId) {
        long count = 0;
        for (Database database : catalog.snapshot().databases().values()) {
            for (OlapTable table : database.olapTables()) {
                for (Tablet tablet : table.tablets()) {
                    count += tablet.replicaOn(backendId).isPresent() ? 1 : 0;
                }
            }
        }
        return count;
    }
}
