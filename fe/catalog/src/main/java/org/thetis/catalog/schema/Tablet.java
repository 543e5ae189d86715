// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.schema;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** One bucket of one partition of one index, with its copies. */
public record Tablet(long id, List<Replica> replicas) {
    public Tablet {
        replicas = List.copyOf(replicas);
    }

    public Optional<Replica> replicaOn(long backendId) {
        for (Replica replica : replicas) {
            if (replica.backendId() == backendId) {
                return Optional.of(replica);
            }
        }
        return Optional.empty();
    }

    /** A tablet whose replica on the back end is changed; this one if there is none. */
    public Tablet withReplica(long backendId, UnaryOperator<Replica> change) {
        return new Tablet(
                id,
                replicas.stream()
                        .map(replica -> replica.backendId() == backendId ? change.apply(replica) : replica)
                        .toList());
    }
}
