// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.tablet;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.catalog.object.Backend;
import org.thetis.catalog.object.Transaction;
import org.thetis.catalog.snapshot.CatalogReader;
import org.thetis.catalog.snapshot.CatalogSnapshot;
import org.thetis.catalog.snapshot.TabletPlace;
import org.thetis.cluster.task.AgentTasks;
import org.thetis.wire.thrift.PartitionVersion;

/**
 * Brings a replica up that wrote its data but missed the publish, as after a crash between the two: each missing version is
 * published again under the transaction that made it. Versions it never wrote need a clone.
 */
final class RepublishMissed {
    private static final Logger LOG = LoggerFactory.getLogger(RepublishMissed.class);
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final AgentTasks tasks;
    private final CatalogReader catalog;

    /** A replica at `version` of a partition whose visible version is later. */
    record Behind(TabletPlace place, long tabletId, long version, long visibleVersion) {}

    RepublishMissed(AgentTasks tasks, CatalogReader catalog) {
        this.tasks = tasks;
        this.catalog = catalog;
    }

    void run(Backend backend, List<Behind> replicas) {
        CatalogSnapshot snapshot = catalog.snapshot();
        Map<Long, Map<PartitionAt, Long>> transactions = new HashMap<>();
        for (Behind replica : replicas) {
            Map<PartitionAt, Long> ofDatabase =
                    transactions.computeIfAbsent(replica.place.databaseId(), id -> transactionsByVersion(snapshot, id));
            republish(backend, replica, ofDatabase);
        }
    }

    private record PartitionAt(long partitionId, long version) {}

    private static Map<PartitionAt, Long> transactionsByVersion(CatalogSnapshot snapshot, long databaseId) {
        Map<PartitionAt, Long> found = new HashMap<>();
        for (Transaction transaction :
                snapshot.transactionsOf(databaseId).byId().values()) {
            for (Transaction.PartitionVersion taken : transaction.partitions()) {
                found.put(new PartitionAt(taken.partitionId(), taken.version()), transaction.id());
            }
        }
        return found;
    }

    private void republish(Backend backend, Behind replica, Map<PartitionAt, Long> transactions) {
        for (long version = replica.version + 1; version <= replica.visibleVersion; version++) {
            @Nullable Long transaction = transactions.get(new PartitionAt(replica.place.partitionId(), version));
            if (transaction == null) {
                return;
            }
            PartitionVersion work =
                    new PartitionVersion(replica.place.partitionId(), version, List.of(replica.tabletId));
            Map<Long, String> failures = tasks.publishVersion(backend, transaction, List.of(work), DEADLINE);
            if (!failures.isEmpty()) {
                LOG.info(
                        "A replica needs a clone: tablet={} backend={} version={} reason={}",
                        replica.tabletId,
                        backend.id(),
                        version,
                        failures.get(replica.tabletId));
                return;
            }
        }
    }
}
