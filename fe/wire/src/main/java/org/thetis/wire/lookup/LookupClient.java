// SPDX-License-Identifier: Apache-2.0
package org.thetis.wire.lookup;

import io.netty.channel.EventLoop;
import io.netty.util.collection.LongObjectHashMap;
import org.jspecify.annotations.Nullable;
import org.thetis.wire.BackendAddress;

/** The look-up connections of one event loop, one per back end it needed. Used on that loop only. */
public final class LookupClient {
    private final EventLoop loop;
    private final LookupLimits limits;
    private final LookupMetrics metrics;
    private final LongObjectHashMap<LookupConnection> connections = new LongObjectHashMap<>();

    LookupClient(EventLoop loop, LookupLimits limits, LookupMetrics metrics) {
        this.loop = loop;
        this.limits = limits;
        this.metrics = metrics;
    }

    /** Sends a call, written together with the others of this turn of the loop; its failure may be told before this returns. */
    public void send(BackendAddress backend, LookupCall call, long timeoutNanos) {
        LookupConnection connection = connections.get(backend.id());
        if (connection == null || !connection.address().equals(backend)) {
            evict(backend.id());
            connection = new LookupConnection(loop, backend, limits, metrics);
            connections.put(backend.id(), connection);
        }
        connection.send(call, timeoutNanos);
    }

    /** Calls sent to a back end that wait for their reply. */
    public int callsInFlight(long backendId) {
        LookupConnection connection = connections.get(backendId);
        return connection == null ? 0 : connection.callsInFlight();
    }

    void evict(long backendId) {
        @Nullable LookupConnection old = connections.remove(backendId);
        if (old != null) {
            old.close("the back end left or was started anew");
        }
    }

    void close() {
        for (LookupConnection connection : connections.values().toArray(LookupConnection[]::new)) {
            connection.close("the front end stops");
        }
        connections.clear();
    }
}
