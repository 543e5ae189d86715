// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import org.thetis.catalog.object.Transaction;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/** A load's data is durable and waits for its second phase. */
public record PrecommitTransaction(Transaction transaction) implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        boolean known = before.transactionsOf(transaction.databaseId())
                .find(transaction.id())
                .isPresent();
        boolean gone = before.findDatabase(transaction.databaseId()).isEmpty();
        return known || gone ? before : before.withTransaction(transaction);
    }
}
