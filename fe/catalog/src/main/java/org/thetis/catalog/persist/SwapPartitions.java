// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.RecycledObject;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/**
 * Temporary partitions took the place of others in one step: REPLACE PARTITION and INSERT OVERWRITE.
 *
 * @param names of the temporary partitions by id, as they are called from now on
 * @param recycleMillis when the removed ones went to the recycle bin; 0 when they are gone for good
 */
public record SwapPartitions(
        long databaseId, long tableId, List<Long> removed, Map<Long, String> names, long recycleMillis)
        implements JournalRecord {
    public SwapPartitions {
        names = Map.copyOf(names);
    }

    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        Optional<OlapTable> found = before.findOlapTable(databaseId, tableId);
        if (found.isEmpty()) {
            return before;
        }
        OlapTable table = found.get();
        CatalogSnapshot after = before;
        for (long id : removed) {
            Optional<Partition> partition = table.partitions().find(id);
            if (partition.isPresent() && recycleMillis > 0) {
                after = after.withRecycled(RecycledObject.of(table, partition.get(), recycleMillis));
            }
            table = table.withoutPartition(id);
        }
        for (Map.Entry<Long, String> entry : names.entrySet()) {
            Optional<Partition> partition = table.temporaryPartitions().find(entry.getKey());
            if (partition.isPresent()) {
                table = table.withoutPartition(entry.getKey())
                        .withPartition(partition.get().withName(entry.getValue()));
            }
        }
        return after.withTable(table);
    }
}
