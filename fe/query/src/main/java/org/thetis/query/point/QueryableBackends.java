// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.point;

import io.netty.util.collection.LongObjectHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.thetis.base.config.QuerySettings;
import org.thetis.catalog.object.Backend;
import org.thetis.cluster.node.BackendState;
import org.thetis.cluster.node.NodeService;
import org.thetis.query.schedule.BackendBlackList;
import org.thetis.wire.BackendAddress;

/**
 * Which back ends look-ups may go to, and the settings they run under, read from the cluster some times a second at most. Thread-safe;
 * readers share an immutable view.
 */
final class QueryableBackends {
    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** @param avoided those of them that just failed a call */
    record View(
            LongObjectHashMap<BackendAddress> addresses,
            LongObjectHashMap<BackendAddress> avoided,
            long timeoutNanos,
            int retries,
            long madeNanos) {
        @Nullable
        BackendAddress address(long backendId) {
            return addresses.get(backendId);
        }

        boolean isAvoided(long backendId) {
            return !avoided.isEmpty() && avoided.containsKey(backendId);
        }
    }

    private final NodeService nodes;
    private final BackendBlackList blackList;
    private final QuerySettings settings;

    /** Replaced as a whole; two threads that find it old at once both make the same new one. */
    private volatile @Nullable View view;

    QueryableBackends(NodeService nodes, BackendBlackList blackList, QuerySettings settings) {
        this.nodes = nodes;
        this.blackList = blackList;
        this.settings = settings;
    }

    View now(long nanos) {
        View known = view;
        if (known != null && nanos - known.madeNanos() < FRESH_NANOS) {
            return known;
        }
        View fresh = make(nanos, known);
        view = fresh;
        return fresh;
    }

    /** Something changed: whoever asks next looks again. */
    void changed() {
        view = null;
    }

    /** It could not be reached: look-ups and queries avoid it until heartbeats show it well or the time is up. */
    void failed(long backendId, String reason) {
        blackList.add(backendId, reason);
        changed();
    }

    private View make(long nanos, @Nullable View known) {
        LongObjectHashMap<BackendAddress> addresses = new LongObjectHashMap<>();
        LongObjectHashMap<BackendAddress> avoided = new LongObjectHashMap<>();
        for (BackendState state : nodes.backends()) {
            if (state.isQueryable()) {
                Backend backend = state.backend();
                BackendAddress address = new BackendAddress(backend.id(), backend.host(), backend.brpcPort());
                BackendAddress before = known == null ? null : known.address(backend.id());
                // The same object as long as it is the same address, which spares look-ups the comparison.
                address = address.equals(before) ? before : address;
                addresses.put(backend.id(), address);
                if (blackList.contains(backend.id(), state.lastHeartbeatMillis())) {
                    avoided.put(backend.id(), address);
                }
            }
        }
        return new View(
                addresses,
                avoided,
                TimeUnit.MILLISECONDS.toNanos(settings.pointQueryTimeoutMs()),
                settings.maxPointQueryRetryTime(),
                nanos);
    }
}
