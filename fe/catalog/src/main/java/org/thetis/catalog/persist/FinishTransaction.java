// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.Transaction;
import org.thetis.catalog.object.TransactionStatus;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.Tablet;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/** A committed load became visible; the replicas that missed its versions are named. */
public record FinishTransaction(long databaseId, long transactionId, long millis, List<MissedReplica> missed)
        implements JournalRecord {
    /** A replica that does not have the version. */
    public record MissedReplica(long tabletId, long backendId) {}

    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        Optional<Transaction> found = before.transactionsOf(databaseId).find(transactionId);
        if (found.isEmpty() || found.get().status() != TransactionStatus.COMMITTED) {
            return before;
        }
        Set<Long> missedTablets = new TreeSet<>();
        missed.forEach(replica -> missedTablets.add(replica.tabletId()));
        CatalogSnapshot after = before.withTransaction(found.get().visible(millis));
        for (Transaction.PartitionVersion taken : found.get().partitions()) {
            after = after.withTable(databaseId, taken.tableId(), table -> publish(table, taken, missedTablets));
        }
        return after;
    }

    private OlapTable publish(OlapTable table, Transaction.PartitionVersion taken, Set<Long> missedTablets) {
        return table.withPartition(taken.partitionId(), partition -> {
            Partition published = partition.withVisible(Math.max(partition.visibleVersion(), taken.version()), millis);
            return missedTablets.isEmpty()
                    ? published
                    : published.withTablets(tablet ->
                            missedTablets.contains(tablet.id()) ? markMissed(tablet, taken.version()) : tablet);
        });
    }

    private Tablet markMissed(Tablet tablet, long version) {
        Tablet result = tablet;
        for (MissedReplica replica : missed) {
            if (replica.tabletId() == tablet.id()) {
                result = result.withReplica(replica.backendId(), known -> known.failedAt(version, millis));
            }
        }
        return result;
    }
}
