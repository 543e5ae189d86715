// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.ColumnStatistics;
import org.thetis.catalog.schema.Tablet;
import org.thetis.wire.thrift.BackendDesc;

/** What planning needs to know of the back ends: who is alive, who holds what, how many rows there are. */
public interface ClusterView {
    /** Back ends that may run fragments now, in a stable order. */
    List<BackendDesc> backends();

    /** Picks the back end that reads this tablet at this version; fails with MISSING_VERSION when no usable replica has it. */
    long chooseReplica(Tablet tablet, long version);

    /** Rows of a tablet as last reported, empty when not reported yet. */
    OptionalLong tabletRows(long tabletId);

    /** What is known of columns of a table, by unique id; those nothing is known of may be missing. */
    default Map<Integer, ColumnStatistics> columnStatistics(OlapTable table, Set<Integer> uniqueIds) {
        return Map.of();
    }
}
