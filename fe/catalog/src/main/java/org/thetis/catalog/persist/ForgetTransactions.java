// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import java.util.List;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/** Finished transactions and their labels are no longer remembered. */
public record ForgetTransactions(long databaseId, List<Long> transactionIds) implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        CatalogSnapshot after = before;
        for (long id : transactionIds) {
            boolean finished = after.transactionsOf(databaseId)
                    .find(id)
                    .map(known -> known.status().isFinal())
                    .orElse(false);
            after = finished ? after.withoutTransaction(databaseId, id) : after;
        }
        return after;
    }
}
