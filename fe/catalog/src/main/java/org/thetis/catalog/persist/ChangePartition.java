// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import java.util.Map;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/** A partition was renamed or got properties. */
public record ChangePartition(
        long databaseId,
        long tableId,
        long partitionId,
        String name,
        Map<String, String> properties,
        int replicationNum)
        implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        return before.withTable(
                databaseId,
                tableId,
                table -> table.withPartition(
                        partitionId, partition -> partition.withName(name).withProperties(properties, replicationNum)));
    }
}
