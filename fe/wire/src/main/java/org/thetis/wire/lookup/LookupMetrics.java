// SPDX-License-Identifier: Apache-2.0
package org.thetis.wire.lookup;

import java.util.concurrent.atomic.AtomicInteger;
import org.thetis.base.metrics.Counter;
import org.thetis.base.metrics.Histogram;
import org.thetis.base.metrics.MetricRegistry;

/** What look-up connections count. Thread-safe. */
final class LookupMetrics {
    final Counter calls;
    final Counter plansSent;
    final Counter connectionFailures;
    final Counter timeouts;
    final Histogram batch;
    final AtomicInteger connections = new AtomicInteger();

    LookupMetrics(MetricRegistry metrics) {
        calls = metrics.counter("point_query_rpc_total", "Key look-up calls sent to back ends.");
        plansSent = metrics.counter("point_query_plans_sent_total", "Key look-up calls that carried their plan.");
        connectionFailures = metrics.counter(
                "point_query_connection_failures_total", "Look-up connections that failed or could not be opened.");
        timeouts = metrics.counter("point_query_rpc_timeouts_total", "Look-up calls that passed their deadline.");
        batch = metrics.histogram("point_query_batch_calls", "Look-up calls that travelled in one write.");
        metrics.gauge("point_query_connections", "Open look-up connections to back ends.", connections::get);
    }
}
