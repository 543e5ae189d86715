// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.point;

import io.netty.channel.EventLoop;
import org.thetis.base.config.QuerySettings;
import org.thetis.base.metrics.Counter;
import org.thetis.base.metrics.MetricRegistry;
import org.thetis.cluster.node.NodeListener;
import org.thetis.cluster.node.NodeService;
import org.thetis.query.schedule.BackendBlackList;
import org.thetis.sql.point.PointCall;
import org.thetis.sql.point.PointPlan;
import org.thetis.wire.lookup.LookupClients;

/** Carries out the calls of point plans on the event loops they are started on. Thread-safe. */
public final class PointLookups {
    final QueryableBackends backends;
    final Counter retries;
    final Counter rows;
    final Counter rowCacheHits;
    private final LookupClients clients;

    public PointLookups(
            LookupClients clients,
            NodeService nodes,
            BackendBlackList blackList,
            QuerySettings settings,
            MetricRegistry metrics) {
        this.clients = clients;
        this.backends = new QueryableBackends(nodes, blackList, settings);
        this.retries = metrics.counter(
                "point_query_retries_total", "Key look-ups asked of another replica, or again, after a failure.");
        this.rows = metrics.counter("point_query_rows_total", "Rows found by key look-ups.");
        this.rowCacheHits = metrics.counter(
                "point_query_row_cache_hits_total", "Rows of key look-ups that back ends had in their row cache.");
        nodes.addListener(new NodeListener() {
            @Override
            public void backendUp(long backendId) {
                backends.changed();
            }

            @Override
            public void backendDown(long backendId) {
                clients.evict(backendId);
                backends.changed();
            }

            @Override
            public void backendRestarted(long backendId) {
                clients.evict(backendId);
                backends.changed();
            }
        });
    }

    /** A look-up on this event loop, to be started and abandoned there. */
    public PointLookup prepare(
            EventLoop loop, PointPlan plan, PointCall call, boolean binaryRows, PointReceiver receiver) {
        return new PointLookup(this, loop, clients.of(loop), plan, call, binaryRows, receiver);
    }
}
