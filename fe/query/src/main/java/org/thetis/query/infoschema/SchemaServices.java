// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import org.thetis.base.metrics.MetricRegistry;
import org.thetis.base.thread.Clock;
import org.thetis.catalog.snapshot.CatalogReader;
import org.thetis.cluster.node.NodeService;
import org.thetis.cluster.tablet.ReplicaDirectory;
import org.thetis.query.schedule.LiveCluster;
import org.thetis.query.session.ServerFacts;
import org.thetis.query.session.SessionRegistry;

/** The live services schema tables read. */
public record SchemaServices(
        CatalogReader catalog,
        NodeService nodes,
        ReplicaDirectory replicas,
        LiveCluster cluster,
        SessionRegistry sessions,
        ServerFacts server,
        Clock clock,
        MetricRegistry metrics,
        BackendMetricsReader backendMetrics) {}
