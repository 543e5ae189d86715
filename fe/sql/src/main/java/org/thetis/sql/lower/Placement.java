// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.Distribution.Kind;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.Tablet;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.plan.BucketLayout;
import org.thetis.sql.plan.Distribution;
import org.thetis.sql.plan.LogicalScan;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.ExecutionSites;
import org.thetis.wire.thrift.BackendDesc;

/** Chooses which replica each tablet of a statement is read from, and so which back ends take part. One per statement. */
final class Placement implements ExecutionSites {
    private final ClusterView cluster;
    private final int fixedReplica;
    private final Map<Long, Long> backendOfTablet = new HashMap<>();
    private final TreeMap<Long, BackendDesc> participants = new TreeMap<>();

    Placement(ClusterView cluster) {
        this(cluster, -1);
    }

    /** @param fixedReplica position of the replica to read of every tablet, to compare replicas; negative for any good one */
    Placement(ClusterView cluster, int fixedReplica) {
        this.cluster = cluster;
        this.fixedReplica = fixedReplica;
    }

    /** Chooses replicas for every scan of the pruned plan. */
    void assign(Plan plan) {
        if (plan instanceof LogicalScan scan) {
            for (Partition partition : scan.selection().partitions()) {
                for (Tablet tablet : partition.tablets()) {
                    if (scan.selection().reads(tablet.id()) && !backendOfTablet.containsKey(tablet.id())) {
                        long backend = choose(tablet, partition.visibleVersion());
                        backendOfTablet.put(tablet.id(), backend);
                        participants.computeIfAbsent(backend, this::describe);
                    }
                }
            }
        }
        plan.children().forEach(this::assign);
    }

    private long choose(Tablet tablet, long version) {
        if (fixedReplica < 0) {
            return cluster.chooseReplica(tablet, version);
        }
        int count = tablet.replicas().size();
        return tablet.replicas().get(fixedReplica % count).backendId();
    }

    private BackendDesc describe(long id) {
        for (BackendDesc backend : cluster.backends()) {
            if (backend.getId() == id) {
                return backend;
            }
        }
        throw new ThetisException(ErrorCode.INTERNAL, "back end " + id + " was chosen but is not alive");
    }

    /** The back ends that take part, by id; any one when the plan reads no tablet. */
    List<BackendDesc> backends() {
        if (!participants.isEmpty()) {
            return new ArrayList<>(participants.values());
        }
        if (cluster.backends().isEmpty()) {
            throw new ThetisException(ErrorCode.RPC_ERROR, "no back end is alive");
        }
        return List.of(cluster.backends().get(0));
    }

    /** The back end that reads a tablet. */
    long backendOf(long tabletId) {
        Long backend = backendOfTablet.get(tabletId);
        if (backend == null) {
            throw new ThetisException(ErrorCode.INTERNAL, "no replica was chosen for tablet " + tabletId);
        }
        return backend;
    }

    @Override
    public int numBackends() {
        return Math.max(1, participants.size());
    }

    @Override
    public Distribution distribution(LogicalScan scan) {
        if (numBackends() == 1) {
            return Distribution.SINGLE;
        }
        BucketLayout layout = layout(scan);
        if (layout == null) {
            return Distribution.RANDOM;
        }
        List<Expr> keys = new ArrayList<>();
        for (String column : scan.table().table().distribution().columns()) {
            for (SlotReference slot : scan.output()) {
                if (slot.origin() != null && slot.origin().column().equalsIgnoreCase(column)) {
                    keys.add(slot);
                }
            }
        }
        boolean all =
                keys.size() == scan.table().table().distribution().columns().size();
        return all ? Distribution.bucket(keys, layout) : Distribution.RANDOM;
    }

    /** Owners by bucket when every partition reads a bucket on the same back end, else null. */
    private @Nullable BucketLayout layout(LogicalScan scan) {
        OlapTable table = scan.table().table();
        List<Partition> partitions = scan.selection().partitions();
        if (table.distribution().kind() != Kind.HASH || partitions.isEmpty()) {
            return null;
        }
        int buckets = partitions.get(0).tablets().size();
        List<Long> owners = new ArrayList<>();
        for (int bucket = 0; bucket < buckets; bucket++) {
            Long owner = null;
            for (Partition partition : partitions) {
                if (partition.tablets().size() != buckets
                        || !partition
                                .distribution()
                                .columns()
                                .equals(table.distribution().columns())) {
                    return null;
                }
                Tablet tablet = partition.tablets().get(bucket);
                if (!scan.selection().reads(tablet.id())) {
                    continue;
                }
                long backend = backendOf(tablet.id());
                if (owner != null && owner != backend) {
                    return null;
                }
                owner = backend;
            }
            // A bucket that is not read may be anywhere.
            owners.add(owner == null ? participants.firstKey() : owner);
        }
        return new BucketLayout(owners);
    }
}
