// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import java.util.List;
import java.util.Optional;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.RecycledObject;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/**
 * Partitions were added and others removed: ADD and DROP PARTITION, TRUNCATE.
 *
 * @param recycleMillis when the removed ones went to the recycle bin; 0 when they are gone for good
 */
public record ReplacePartitions(
        long databaseId, long tableId, List<Partition> added, List<Long> removed, long recycleMillis)
        implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        Optional<OlapTable> found = before.findOlapTable(databaseId, tableId);
        if (found.isEmpty()) {
            return before;
        }
        OlapTable table = found.get();
        CatalogSnapshot after = before;
        for (long id : removed) {
            Optional<Partition> partition = table.findPartition(id);
            if (partition.isPresent() && recycleMillis > 0) {
                after = after.withRecycled(RecycledObject.of(table, partition.get(), recycleMillis));
            }
            table = table.withoutPartition(id);
        }
        for (Partition partition : added) {
            if (table.findPartition(partition.id()).isEmpty()) {
                table = table.withPartition(partition);
            }
        }
        return after.withTable(table);
    }
}
