// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.tablet;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.Tablet;

/** Which replicas can be read, and how many rows they hold. Safe for use from any thread. */
public interface ReplicaDirectory {
    /**
     * Back ends that can serve the tablet at the version: alive, not bad, nothing missing up to it. Fails with MISSING_VERSION,
     * naming tablet, version and what each replica lacks, when there is none.
     */
    List<Long> usableBackends(Tablet tablet, long version);

    /** One of them, so that the load spreads over equal replicas. */
    long chooseReplica(Tablet tablet, long version);

    /** The last report of a replica. */
    Optional<ReplicaState> find(long tabletId, long backendId);

    /** Rows of a tablet as last reported, empty when not reported yet. */
    OptionalLong tabletRows(long tabletId);

    /** Rows of the base index; tablets without a report count as empty. */
    long numRows(OlapTable table);

    long numRows(Partition partition);

    /** Bytes of one replica of each tablet. */
    long dataBytes(OlapTable table);

    long dataBytes(Partition partition);

    /** Replicas a back end holds, as far as the catalog knows. */
    long numTablets(long backendId);
}
