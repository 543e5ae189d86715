// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.snapshot;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.thetis.base.collection.PersistentSortedMap;
import org.thetis.catalog.object.Transaction;

/** The journalled transactions of one database: by id, the ones not yet final, and the newest of each label. */
public record DatabaseTransactions(
        PersistentSortedMap<Long, Transaction> byId,
        PersistentSortedMap<Long, Transaction> running,
        PersistentSortedMap<String, Long> newestByLabel) {
    public static final DatabaseTransactions EMPTY =
            new DatabaseTransactions(PersistentSortedMap.empty(), PersistentSortedMap.empty(), PersistentSortedMap.empty());

    public Optional<Transaction> find(long id) {
        return byId.find(id);
    }

    /** The newest transaction that used the label. */
    public Optional<Transaction> find(String label) {
        @Nullable Long id = newestByLabel.get(label);
        return id == null ? Optional.empty() : byId.find(id);
    }

    /** Adds a transaction or replaces the one with its id. */
    public DatabaseTransactions with(Transaction transaction) {
        @Nullable Long newest = newestByLabel.get(transaction.label());
        boolean isNewest = newest == null || newest <= transaction.id();
        return new DatabaseTransactions(
                byId.with(transaction.id(), transaction),
                transaction.isRunning()
                        ? running.with(transaction.id(), transaction)
                        : running.without(transaction.id()),
                isNewest && (newest == null || newest != transaction.id())
                        ? newestByLabel.with(transaction.label(), transaction.id())
                        : newestByLabel);
    }

    /** Forgets a transaction and, if it was the newest to use it, its label. */
    public DatabaseTransactions without(long id) {
        @Nullable Transaction transaction = byId.get(id);
        if (transaction == null) {
            return this;
        }
        @Nullable Long newest = newestByLabel.get(transaction.label());
        return new DatabaseTransactions(
                byId.without(id),
                running.without(id),
                newest != null && newest == id ? newestByLabel.without(transaction.label()) : newestByLabel);
    }

    static DatabaseTransactions of(Iterable<Transaction> transactions) {
        DatabaseTransactions result = EMPTY;
        for (Transaction transaction : transactions) {
            result = result.with(transaction);
        }
        return result;
    }

    /** Number of transactions that are not final. */
    public int numRunning() {
        return running.size();
    }
}
