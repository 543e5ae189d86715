// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.snapshot;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.thetis.base.collection.PersistentSortedMap;
import org.thetis.catalog.object.Transaction;

/** The journalled transactions of one database: by id, the ones not yet final, and those that used each label, oldest first. */
public record DatabaseTransactions(
        PersistentSortedMap<Long, Transaction> byId,
        PersistentSortedMap<Long, Transaction> running,
        PersistentSortedMap<String, List<Long>> idsByLabel) {
    public static final DatabaseTransactions EMPTY = new DatabaseTransactions(
            PersistentSortedMap.empty(), PersistentSortedMap.empty(), PersistentSortedMap.empty());

    public Optional<Transaction> find(long id) {
        return byId.find(id);
    }

    /** The newest transaction that used the label. */
    public Optional<Transaction> find(String label) {
        @Nullable List<Long> ids = idsByLabel.get(label);
        return ids == null ? Optional.empty() : byId.find(ids.get(ids.size() - 1));
    }

    /** Adds a transaction or replaces the one with its id. */
    public DatabaseTransactions with(Transaction transaction) {
        long id = transaction.id();
        return new DatabaseTransactions(
                byId.with(id, transaction),
                transaction.isRunning() ? running.with(id, transaction) : running.without(id),
                byId.contains(id) ? idsByLabel : labelled(transaction.label(), id));
    }

    private PersistentSortedMap<String, List<Long>> labelled(String label, long id) {
        @Nullable List<Long> known = idsByLabel.get(label);
        if (known == null) {
            return idsByLabel.with(label, List.of(id));
        }
        List<Long> ids = new ArrayList<>(known);
        ids.add(id);
        ids.sort(Long::compare);
        return idsByLabel.with(label, List.copyOf(ids));
    }

    /** Forgets a transaction, and its label if no other used it. */
    public DatabaseTransactions without(long id) {
        @Nullable Transaction transaction = byId.get(id);
        if (transaction == null) {
            return this;
        }
        List<Long> left = idsByLabel.find(transaction.label()).orElse(List.of()).stream()
                .filter(other -> other != id)
                .toList();
        return new DatabaseTransactions(
                byId.without(id),
                running.without(id),
                left.isEmpty() ? idsByLabel.without(transaction.label()) : idsByLabel.with(transaction.label(), left));
    }

    /** Number of transactions that are not final. */
    public int numRunning() {
        return running.size();
    }
}
