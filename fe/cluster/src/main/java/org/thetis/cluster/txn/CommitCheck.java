// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.txn;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.AlterJob;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.Transaction;
import org.thetis.catalog.persist.FinishTransaction;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.Replica;
import org.thetis.catalog.schema.Tablet;
import org.thetis.catalog.snapshot.CatalogSnapshot;
import org.thetis.catalog.snapshot.TabletPlace;
import org.thetis.wire.thrift.TabletCommit;

/**
 * Decides whether a load may commit: every tablet of every touched partition needs enough replicas that finished writing and
 * miss no earlier version. Tablets of partitions dropped meanwhile do not count.
 */
final class CommitCheck {
    private final CatalogSnapshot catalog;
    private final int configuredMinReplicas;

    CommitCheck(CatalogSnapshot catalog, int configuredMinReplicas) {
        this.catalog = catalog;
        this.configuredMinReplicas = configuredMinReplicas;
    }

    /** A partition that the load touched. */
    record Touched(OlapTable table, Partition partition) {}

    /** What the commit is made of. */
    record Result(List<Touched> partitions, List<Transaction.TabletWrite> writes) {}

    Result check(long databaseId, long transactionId, List<TabletCommit> commits) {
        Map<Long, Set<Long>> written = new TreeMap<>();
        for (TabletCommit commit : commits) {
            written.computeIfAbsent(commit.getTablet_id(), key -> new TreeSet<>())
                    .add(commit.getBackend_id());
        }
        Map<Long, Touched> touched = touchedPartitions(databaseId, written.keySet());
        List<Transaction.TabletWrite> writes = new ArrayList<>();
        for (Touched entry : touched.values()) {
            for (Partition.IndexTablets index : entry.partition.indexes()) {
                if (index.indexId() != entry.table.baseIndex().id() && !isWritten(index, written)) {
                    checkShadowOptional(entry.table);
                    continue;
                }
                for (Tablet tablet : index.tablets()) {
                    Set<Long> backends = written.getOrDefault(tablet.id(), Set.of());
                    checkTablet(transactionId, entry, tablet, backends);
                    writes.add(new Transaction.TabletWrite(tablet.id(), List.copyOf(backends)));
                }
            }
        }
        return new Result(List.copyOf(touched.values()), writes);
    }

    /**
     * Repeats in the order of commits what may have changed since: nothing misses in a shadow index, and enough replicas miss
     * nothing that was committed before.
     */
    void recheck(Transaction transaction, Result result, MissedReplicas missed) {
        checkShadows(transaction.databaseId(), result);
        if (missed.isEmpty()) {
            return;
        }
        Map<Long, Set<Long>> written = new TreeMap<>();
        for (Transaction.TabletWrite write : result.writes()) {
            Set<Long> whole = new TreeSet<>(write.backendIds());
            whole.removeAll(missed.of(write.tabletId()));
            written.put(write.tabletId(), whole);
        }
        for (Touched entry :
                touchedPartitions(transaction.databaseId(), written.keySet()).values()) {
            for (Partition.IndexTablets index : entry.partition.indexes()) {
                for (Tablet tablet : index.tablets()) {
                    Set<Long> backends = written.get(tablet.id());
                    if (backends != null) {
                        checkTablet(transaction.id(), entry, tablet, backends);
                    }
                }
            }
        }
    }

    /** Replicas of the tablets a transaction wrote that it did not write. */
    List<FinishTransaction.MissedReplica> missed(Transaction transaction) {
        List<FinishTransaction.MissedReplica> missed = new ArrayList<>();
        for (Transaction.TabletWrite write : transaction.tablets()) {
            catalog.findTablet(write.tabletId()).ifPresent(tablet -> tablet.replicas().stream()
                    .filter(replica -> !write.backendIds().contains(replica.backendId()))
                    .forEach(replica ->
                            missed.add(new FinishTransaction.MissedReplica(tablet.id(), replica.backendId()))));
        }
        return missed;
    }

    private void checkShadows(long databaseId, Result result) {
        Map<Long, Set<Long>> written = new TreeMap<>();
        result.writes.forEach(write -> written.put(write.tabletId(), Set.copyOf(write.backendIds())));
        for (Touched entry : touchedPartitions(databaseId, written.keySet()).values()) {
            for (Partition.IndexTablets index : entry.partition.indexes()) {
                if (index.indexId() != entry.table.baseIndex().id() && !isWritten(index, written)) {
                    checkShadowOptional(entry.table);
                }
            }
        }
    }

    private static boolean isWritten(Partition.IndexTablets index, Map<Long, Set<Long>> written) {
        return index.tablets().stream().anyMatch(tablet -> written.containsKey(tablet.id()));
    }

    /**
     * A load that was planned before a schema change wrote the base index only. That is fine until history is converted: from
     * then on its rows would be lost.
     */
    private void checkShadowOptional(OlapTable table) {
        boolean converting = catalog.findAlterJob(table.id())
                .map(job -> job.state() == AlterJob.State.RUNNING)
                .orElse(false);
        if (converting) {
            throw new ThetisException(
                    ErrorCode.INSERT_FAILED,
                    "the columns of table " + table.name() + " are being changed and the load was planned before that, "
                            + "please load again");
        }
    }

    private Map<Long, Touched> touchedPartitions(long databaseId, Set<Long> tabletIds) {
        Map<Long, Touched> touched = new TreeMap<>();
        for (long tabletId : tabletIds) {
            Optional<TabletPlace> place = catalog.findTabletPlace(tabletId);
            if (place.isEmpty()
                    || place.get().databaseId() != databaseId
                    || touched.containsKey(place.get().partitionId())) {
                continue;
            }
            OlapTable table =
                    catalog.findOlapTable(databaseId, place.get().tableId()).orElseThrow();
            Partition partition = table.findPartition(place.get().partitionId()).orElseThrow();
            touched.put(partition.id(), new Touched(table, partition));
        }
        return touched;
    }

    private void checkTablet(long transactionId, Touched touched, Tablet tablet, Set<Long> backends) {
        int required = requiredReplicas(touched.table, tablet);
        int succeeded = 0;
        for (Replica replica : tablet.replicas()) {
            if (backends.contains(replica.backendId()) && replica.isComplete()) {
                succeeded++;
            }
        }
        if (succeeded < required) {
            throw new ThetisException(
                    ErrorCode.INSERT_FAILED,
                    "Failed to commit txn " + transactionId + ", cause tablet " + tablet.id() + " succ replica num "
                            + succeeded
                            + " < load required replica num " + required + ". table " + touched.table.name()
                            + ", partition "
                            + touched.partition.name() + ", written on back ends " + backends);
        }
    }

    /** The table's min_load_replica_num, else the configured one, else more than half; never more than there are. */
    int requiredReplicas(OlapTable table, Tablet tablet) {
        int replicas = tablet.replicas().size();
        int wanted = table.properties().minLoadReplicaNum();
        if (wanted <= 0) {
            wanted = configuredMinReplicas;
        }
        return Math.min(replicas, wanted > 0 ? wanted : replicas / 2 + 1);
    }
}
