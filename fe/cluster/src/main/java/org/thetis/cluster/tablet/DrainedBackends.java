// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.tablet;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.config.NodeSettings;
import org.thetis.base.error.ThetisException;
import org.thetis.base.thread.Executors;
import org.thetis.catalog.object.RecycledObject;
import org.thetis.catalog.snapshot.CatalogReader;
import org.thetis.cluster.node.BackendState;
import org.thetis.cluster.node.NodeService;

/** Ends decommissions: a back end that is leaving and holds no tablet any more is dropped. */
public final class DrainedBackends implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DrainedBackends.class);
    private static final long ROUND_SECONDS = 1;

    private final NodeSettings settings;
    private final NodeService nodes;
    private final ReplicaDirectory replicas;
    private final CatalogReader catalog;
    private final ScheduledExecutorService worker = Executors.scheduled("decommission", 1);

    public DrainedBackends(NodeSettings settings, NodeService nodes, ReplicaDirectory replicas, CatalogReader catalog) {
        this.settings = settings;
        this.nodes = nodes;
        this.replicas = replicas;
        this.catalog = catalog;
    }

    /** Begins to look. */
    public void start() {
        worker.scheduleWithFixedDelay(this::round, ROUND_SECONDS, ROUND_SECONDS, TimeUnit.SECONDS);
    }

    private void round() {
        if (!settings.dropBackendAfterDecommission()) {
            return;
        }
        for (BackendState state : nodes.backends()) {
            if (!state.backend().decommissioned() || replicas.numTablets(state.id()) > 0 || holdsRecycled(state.id())) {
                continue;
            }
            try {
                nodes.dropBackend(state.backend().host(), state.backend().heartbeatPort());
                LOG.info("A decommissioned back end is empty and was dropped: backend={}", state.id());
            } catch (ThetisException e) {
                LOG.warn("A decommissioned back end was not dropped: backend={} reason={}", state.id(), e.text());
            }
        }
    }

    /** Whether something that could be recovered lies there. */
    private boolean holdsRecycled(long backendId) {
        for (Map.Entry<Long, RecycledObject> entry :
                catalog.snapshot().recycleBin().objects()) {
            boolean there = entry.getValue().tablets().stream()
                    .anyMatch(tablet -> tablet.replicaOn(backendId).isPresent());
            if (there) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        Executors.stop(worker, Duration.ofSeconds(1));
    }
}
