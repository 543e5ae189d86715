// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.Backend;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.ColumnStatistics;
import org.thetis.catalog.schema.Tablet;
import org.thetis.cluster.node.BackendState;
import org.thetis.cluster.node.NodeService;
import org.thetis.cluster.tablet.ReplicaDirectory;
import org.thetis.sql.lower.ClusterView;
import org.thetis.wire.thrift.BackendDesc;

/** The cluster as a plan sees it: back ends that are alive and did not just fail a call. */
public final class LiveCluster implements ClusterView {
    private final NodeService nodes;
    private final ReplicaDirectory replicas;
    private final BackendBlackList blackList;

    private final ColumnKnowledge columns;

    /** How statistics of columns are found, by unique id. */
    @FunctionalInterface
    public interface ColumnKnowledge {
        Map<Integer, ColumnStatistics> find(OlapTable table, Set<Integer> uniqueIds);
    }

    public LiveCluster(
            NodeService nodes, ReplicaDirectory replicas, ColumnKnowledge columns, BackendBlackList blackList) {
        this.columns = columns;
        this.nodes = nodes;
        this.replicas = replicas;
        this.blackList = blackList;
    }

    @Override
    public List<BackendDesc> backends() {
        List<BackendDesc> usable = new ArrayList<>();
        List<BackendDesc> avoided = new ArrayList<>();
        for (BackendState state : nodes.backends()) {
            if (state.isQueryable()) {
                (isAvoided(state) ? avoided : usable).add(describe(state.backend()));
            }
        }
        // Those that failed a call come last: a tablet may have its only replica there, and every replica must be
        // written.
        usable.addAll(avoided);
        return usable;
    }

    @Override
    public long chooseReplica(Tablet tablet, long version) {
        List<Long> usable = replicas.usableBackends(tablet, version);
        List<Long> preferred = usable.stream()
                .filter(id -> nodes.findBackend(id).filter(this::isAvoided).isEmpty())
                .toList();
        List<Long> candidates = preferred.isEmpty() ? usable : preferred;
        if (candidates.isEmpty()) {
            throw new ThetisException(
                    ErrorCode.MISSING_VERSION, "no usable replica of tablet " + tablet.id() + " at version " + version);
        }
        // The same tablet goes to the same back end, which keeps its pages cached; different tablets spread.
        return candidates.get((int) Math.floorMod(tablet.id(), (long) candidates.size()));
    }

    @Override
    public OptionalLong tabletRows(long tabletId) {
        return replicas.tabletRows(tabletId);
    }

    @Override
    public Map<Integer, ColumnStatistics> columnStatistics(OlapTable table, Set<Integer> uniqueIds) {
        return columns.find(table, uniqueIds);
    }

    private boolean isAvoided(BackendState state) {
        return blackList.contains(state.id(), state.lastHeartbeatMillis());
    }

    private static BackendDesc describe(Backend backend) {
        return new BackendDesc(backend.id(), backend.host(), backend.brpcPort(), backend.bePort(), backend.httpPort());
    }
}
