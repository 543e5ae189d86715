// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import java.util.Optional;
import org.thetis.catalog.object.Transaction;
import org.thetis.catalog.object.TransactionStatus;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/** A pre-committed load was aborted. */
public record AbortTransaction(long databaseId, long transactionId, String reason, long millis)
        implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        Optional<Transaction> found = before.transactionsOf(databaseId).find(transactionId);
        boolean open = found.isPresent() && found.get().status() == TransactionStatus.PRECOMMITTED;
        return open ? before.withTransaction(found.get().aborted(reason, millis)) : before;
    }
}
