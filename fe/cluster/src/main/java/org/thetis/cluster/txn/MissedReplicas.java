// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.txn;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.persist.FinishTransaction.MissedReplica;

/**
 * Replicas that miss a version which is committed and not visible yet. The catalog learns of them when the version becomes visible;
 * a load that commits before that must not count on them, or its version could be without enough whole replicas for ever. Not
 * thread-safe.
 */
final class MissedReplicas {
    private final Map<Long, List<MissedReplica>> byTransaction = new HashMap<>();

    /** How many transactions in line a replica misses: tablet, then back end. */
    private final Map<Long, Map<Long, Integer>> counts = new HashMap<>();

    void add(long transactionId, List<MissedReplica> missed) {
        if (missed.isEmpty()) {
            return;
        }
        byTransaction.put(transactionId, missed);
        for (MissedReplica replica : missed) {
            counts.computeIfAbsent(replica.tabletId(), id -> new HashMap<>())
                    .merge(replica.backendId(), 1, Integer::sum);
        }
    }

    /** Call when the catalog knows. */
    void remove(long transactionId) {
        @Nullable List<MissedReplica> missed = byTransaction.remove(transactionId);
        if (missed == null) {
            return;
        }
        for (MissedReplica replica : missed) {
            counts.computeIfPresent(replica.tabletId(), (tablet, backends) -> {
                backends.computeIfPresent(replica.backendId(), (id, count) -> count == 1 ? null : count - 1);
                return backends.isEmpty() ? null : backends;
            });
        }
    }

    boolean isEmpty() {
        return counts.isEmpty();
    }

    /** Back ends whose replica of the tablet misses something. */
    Set<Long> of(long tabletId) {
        @Nullable Map<Long, Integer> backends = counts.get(tabletId);
        return backends == null ? Set.of() : new TreeSet<>(backends.keySet());
    }
}
