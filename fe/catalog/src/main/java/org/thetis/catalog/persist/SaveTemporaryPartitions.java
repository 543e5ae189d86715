// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import java.util.List;
import java.util.Optional;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/** Temporary partitions were added and others removed. */
public record SaveTemporaryPartitions(long databaseId, long tableId, List<Partition> added, List<Long> removed)
        implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        Optional<OlapTable> found = before.findOlapTable(databaseId, tableId);
        if (found.isEmpty()) {
            return before;
        }
        OlapTable table = found.get();
        for (long id : removed) {
            if (table.temporaryPartitions().find(id).isPresent()) {
                table = table.withoutPartition(id);
            }
        }
        for (Partition partition : added) {
            if (table.findPartition(partition.id()).isEmpty()) {
                table = table.withTemporaryPartition(partition);
            }
        }
        return before.withTable(table);
    }
}
