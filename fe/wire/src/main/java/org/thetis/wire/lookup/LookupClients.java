// SPDX-License-Identifier: Apache-2.0
package org.thetis.wire.lookup;

import io.netty.channel.EventLoop;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.thetis.base.metrics.MetricRegistry;

/** A look-up client for each event loop that asks for one. Thread-safe; owned by the process and closed by it. */
public final class LookupClients implements AutoCloseable {
    private final LookupLimits limits;
    private final LookupMetrics metrics;
    private final ConcurrentHashMap<EventLoop, LookupClient> clients = new ConcurrentHashMap<>();

    public LookupClients(LookupLimits limits, MetricRegistry registry) {
        this.limits = limits;
        this.metrics = new LookupMetrics(registry);
    }

    /** The loop's client, to be used on the loop. */
    public LookupClient of(EventLoop loop) {
        return clients.computeIfAbsent(loop, owner -> new LookupClient(owner, limits, metrics));
    }

    /** Closes the connections to a back end that left or is another process now; their calls fail. */
    public void evict(long backendId) {
        clients.forEach((loop, client) -> onLoop(loop, () -> client.evict(backendId)));
    }

    @Override
    public void close() {
        clients.forEach((loop, client) -> onLoop(loop, client::close));
        clients.clear();
    }

    private static void onLoop(EventLoop loop, Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException stopped) {
            // A loop that has shut down has closed its channels, and with them failed their calls.
            if (!loop.isShuttingDown()) {
                throw stopped;
            }
        }
    }
}
