// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import java.util.List;
import java.util.Optional;
import org.thetis.catalog.schema.Replica;
import org.thetis.catalog.snapshot.CatalogSnapshot;
import org.thetis.catalog.snapshot.TabletPlace;

/** Replicas were found bad, behind, or whole again. */
public record ChangeReplicas(List<ReplicaChange> changes) implements JournalRecord {
    /**
     * The new health of one replica.
     *
     * @param lastFailedVersion -1 when nothing is missing
     */
    public record ReplicaChange(long tabletId, long backendId, long lastFailedVersion, long millis, boolean bad) {
        Replica apply(Replica before) {
            return new Replica(before.id(), backendId, lastFailedVersion, lastFailedVersion < 0 ? -1 : millis, bad);
        }
    }

    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        CatalogSnapshot after = before;
        for (ReplicaChange change : changes) {
            Optional<TabletPlace> found = after.findTabletPlace(change.tabletId);
            if (found.isPresent()) {
                TabletPlace place = found.get();
                after = after.withTable(
                        place.databaseId(),
                        place.tableId(),
                        table -> table.withPartition(
                                place.partitionId(),
                                partition -> partition.withTablets(tablet -> tablet.id() == change.tabletId
                                        ? tablet.withReplica(change.backendId, change::apply)
                                        : tablet)));
            }
        }
        return after;
    }
}
