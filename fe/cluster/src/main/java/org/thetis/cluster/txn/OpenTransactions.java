// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.txn;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.object.Transaction;

/**
 * The transactions of one database that live only in memory: begun but not committed, and the last ones aborted before anything
 * was journalled. Thread-safe; the lock is the object itself and guards everything in it.
 */
final class OpenTransactions {
    private static final int MAX_ABORTED = 2000;

    /** A begun transaction. While `ending`, a commit or abort is under way and nobody else may start one. */
    record Open(Transaction transaction, long coordinatorBackend, boolean ending) {}

    @GuardedBy("this")
    private final Map<Long, Open> open = new HashMap<>();

    @GuardedBy("this")
    private final Map<String, Long> labels = new HashMap<>();

    @GuardedBy("this")
    private final Set<Long> secondPhases = new HashSet<>();

    @GuardedBy("this")
    private final Map<Long, Transaction> aborted = new LinkedHashMap<>();

    synchronized Optional<Open> find(long id) {
        return Optional.ofNullable(open.get(id));
    }

    synchronized Optional<Transaction> findByLabel(String label) {
        @Nullable Long id = labels.get(label);
        if (id != null) {
            return Optional.ofNullable(open.get(id)).map(Open::transaction);
        }
        Transaction newest = null;
        for (Transaction transaction : aborted.values()) {
            newest = transaction.label().equals(label) ? transaction : newest;
        }
        return Optional.ofNullable(newest);
    }

    /** The transaction that holds the label now, if any. */
    synchronized Optional<Transaction> findOpenLabel(String label) {
        @Nullable Long id = labels.get(label);
        return id == null ? Optional.empty() : Optional.ofNullable(open.get(id)).map(Open::transaction);
    }

    synchronized Optional<Transaction> findAborted(long id) {
        return Optional.ofNullable(aborted.get(id));
    }

    synchronized void add(Transaction transaction, long coordinatorBackend) {
        open.put(transaction.id(), new Open(transaction, coordinatorBackend, false));
        labels.put(transaction.label(), transaction.id());
    }

    /** Replaces a transaction that is still open. */
    synchronized boolean replace(Transaction transaction) {
        @Nullable Open known = open.get(transaction.id());
        if (known == null || known.ending) {
            return false;
        }
        open.put(transaction.id(), new Open(transaction, known.coordinatorBackend, false));
        return true;
    }

    /** Claims the right to end a transaction; empty when it is not open or another claimed it. */
    synchronized Optional<Transaction> claim(long id) {
        @Nullable Open known = open.get(id);
        if (known == null || known.ending) {
            return Optional.empty();
        }
        open.put(id, new Open(known.transaction, known.coordinatorBackend, true));
        return Optional.of(known.transaction);
    }

    /** Gives a claim back: the transaction stays open. */
    synchronized void release(long id) {
        @Nullable Open known = open.get(id);
        if (known != null) {
            open.put(id, new Open(known.transaction, known.coordinatorBackend, false));
        }
    }

    /** Claims the right to end a pre-committed transaction; false when another is doing so. */
    synchronized boolean claimSecondPhase(long id) {
        return secondPhases.add(id);
    }

    synchronized void releaseSecondPhase(long id) {
        secondPhases.remove(id);
    }

    /** The transaction is journalled now, or over. */
    synchronized void remove(long id) {
        @Nullable Open known = open.remove(id);
        if (known != null) {
            labels.remove(known.transaction.label(), id);
        }
    }

    /** Remembers for a while how a transaction ended that was never journalled. */
    synchronized void rememberAborted(Transaction transaction) {
        remove(transaction.id());
        aborted.put(transaction.id(), transaction);
        while (aborted.size() > MAX_ABORTED) {
            aborted.remove(aborted.keySet().iterator().next());
        }
    }

    synchronized void forgetAborted(Predicate<Transaction> which) {
        aborted.values().removeIf(which);
    }

    /** Open transactions for which the test holds and that nobody is ending. */
    synchronized List<Open> select(Predicate<Open> test) {
        return open.values().stream()
                .filter(entry -> !entry.ending && test.test(entry))
                .toList();
    }

    synchronized List<Transaction> all() {
        List<Transaction> all = new ArrayList<>(aborted.values());
        open.values().forEach(entry -> all.add(entry.transaction));
        return all;
    }

    synchronized int numOpen() {
        return open.size();
    }
}
