// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.mysql;

import org.thetis.base.metrics.Counter;
import org.thetis.base.metrics.Histogram;
import org.thetis.base.metrics.MetricRegistry;
import org.thetis.query.point.PointLookups;
import org.thetis.query.point.PointPlans;
import org.thetis.query.statement.AuditSink;

/** What connections share for key look-ups on event loops. Thread-safe. */
public final class PointServices {
    final PointPlans plans;
    final PointLookups lookups;
    final AuditSink audit;
    final ReplyHeads heads = new ReplyHeads();
    final Counter prepared;
    final Counter text;
    final Counter failures;
    final Histogram latency;

    public PointServices(PointPlans plans, PointLookups lookups, AuditSink audit, MetricRegistry metrics) {
        this.plans = plans;
        this.lookups = lookups;
        this.audit = audit;
        String help = "Key look-ups served on event loops.";
        this.prepared = metrics.counter("point_query_total", help, "protocol", "prepared");
        this.text = metrics.counter("point_query_total", help, "protocol", "text");
        this.failures = metrics.counter("point_query_err_total", "Key look-ups that ended with an error.");
        this.latency = metrics.histogram(
                "point_query_latency_us", "Time from a key look-up's arrival to the write of its reply.");
    }
}
