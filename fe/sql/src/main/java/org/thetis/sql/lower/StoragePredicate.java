// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import java.util.List;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.Partition;
import org.thetis.wire.thrift.DeletePredicate;

/** A DELETE that storage does: rows of these partitions for which the condition is true go. No partition: nothing can match. */
public record StoragePredicate(
        String database, OlapTable table, List<Partition> partitions, DeletePredicate predicate) {
    /** Copies the list. */
    public StoragePredicate {
        partitions = List.copyOf(partitions);
    }
}
