// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.object;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.Tablet;

/**
 * Something that was dropped and can be recovered until it is erased: exactly one of database, table and partition is set.
 *
 * @param id of what was dropped
 * @param databaseId the database itself, or that of the table
 * @param tableId the table itself or that of the partition; 0 for a database
 */
public record RecycledObject(
        long id,
        long databaseId,
        long tableId,
        String name,
        long dropMillis,
        @Nullable Database database,
        @Nullable OlapTable table,
        @Nullable Partition partition) {
    public static RecycledObject of(Database database, long millis) {
        return new RecycledObject(database.id(), database.id(), 0, database.name(), millis, database, null, null);
    }

    public static RecycledObject of(OlapTable table, long millis) {
        return new RecycledObject(table.id(), table.databaseId(), table.id(), table.name(), millis, null, table, null);
    }

    /** A partition of the table. */
    public static RecycledObject of(OlapTable table, Partition partition, long millis) {
        return new RecycledObject(
                partition.id(), table.databaseId(), table.id(), partition.name(), millis, null, null, partition);
    }

    /** The partitions whose tablets back ends still hold. */
    @JsonIgnore
    public List<Partition> partitions() {
        List<Partition> partitions = new ArrayList<>();
        if (database != null) {
            database.olapTables().forEach(held -> partitions.addAll(held.allPartitions()));
        }
        if (table != null) {
            partitions.addAll(table.allPartitions());
        }
        if (partition != null) {
            partitions.add(partition);
        }
        return partitions;
    }

    /** Every tablet that back ends still hold. */
    @JsonIgnore
    public List<Tablet> tablets() {
        List<Tablet> tablets = new ArrayList<>();
        partitions().forEach(held -> held.indexes().forEach(index -> tablets.addAll(index.tablets())));
        return tablets;
    }
}
