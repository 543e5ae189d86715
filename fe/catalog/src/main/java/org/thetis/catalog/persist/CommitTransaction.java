// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import java.util.Optional;
import org.thetis.catalog.object.Transaction;
import org.thetis.catalog.object.TransactionStatus;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/** A load is committed: its partitions took their next versions, which become visible once published. */
public record CommitTransaction(Transaction transaction) implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        long databaseId = transaction.databaseId();
        Optional<Transaction> known = before.transactionsOf(databaseId).find(transaction.id());
        boolean done = known.isPresent() && known.get().status() != TransactionStatus.PRECOMMITTED;
        if (done || before.findDatabase(databaseId).isEmpty()) {
            return before;
        }
        CatalogSnapshot after = before.withTransaction(transaction);
        for (Transaction.PartitionVersion taken : transaction.partitions()) {
            after = after.withTable(
                    databaseId,
                    taken.tableId(),
                    table -> table.withPartition(
                            taken.partitionId(),
                            partition ->
                                    partition.withCommitted(Math.max(partition.committedVersion(), taken.version()))));
        }
        return after;
    }
}
