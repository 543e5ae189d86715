// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.testing;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.Tablet;
import org.thetis.cluster.tablet.ReplicaDirectory;
import org.thetis.cluster.tablet.ReplicaState;

/** Nothing was ever reported. */
final class NoReplicas implements ReplicaDirectory {
    @Override
    public List<Long> usableBackends(Tablet tablet, long version) {
        return tablet.replicas().stream().map(replica -> replica.backendId()).toList();
    }

    @Override
    public long chooseReplica(Tablet tablet, long version) {
        return usableBackends(tablet, version).get(0);
    }

    @Override
    public Optional<ReplicaState> find(long tabletId, long backendId) {
        return Optional.empty();
    }

    @Override
    public OptionalLong tabletRows(long tabletId) {
        return OptionalLong.empty();
    }

    @Override
    public long numRows(OlapTable table) {
        return 0;
    }

    @Override
    public long numRows(Partition partition) {
        return 0;
    }

    @Override
    public long dataBytes(OlapTable table) {
        return 0;
    }

    @Override
    public long dataBytes(Partition partition) {
        return 0;
    }

    @Override
    public long numTablets(long backendId) {
        return 0;
    }
}
