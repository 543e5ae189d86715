// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.testing;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.object.Backend;
import org.thetis.cluster.node.BackendState;
import org.thetis.cluster.node.FrontendState;
import org.thetis.cluster.node.NodeListener;
import org.thetis.cluster.node.NodeService;

/** A cluster of the given back ends, all alive. */
public final class FixedNodes implements NodeService {
    private final List<BackendState> backends;
    private volatile @Nullable RuntimeException bug;

    FixedNodes(List<Backend> backends) {
        this.backends = backends.stream()
                .map(backend -> new BackendState(backend, true, 1, 1, 1, 0, "", "test", 2, 1 << 30, 1, List.of()))
                .toList();
    }

    /** Asking for back ends fails with this until it is called with null. */
    public void breakWith(@Nullable RuntimeException failure) {
        bug = failure;
    }

    @Override
    public List<BackendState> backends() {
        RuntimeException broken = bug;
        if (broken != null) {
            throw broken;
        }
        return backends;
    }

    @Override
    public Optional<BackendState> findBackend(long id) {
        return backends.stream().filter(state -> state.id() == id).findFirst();
    }

    @Override
    public boolean isAlive(long backendId) {
        return findBackend(backendId).isPresent();
    }

    @Override
    public long addBackend(String host, int heartbeatPort) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long registerBackend(String host, int heartbeatPort, long clusterId, String token) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void dropBackend(String host, int heartbeatPort) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void decommissionBackend(String host, int heartbeatPort, boolean decommissioned) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void tagBackend(String host, int heartbeatPort, Map<String, String> tags) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<FrontendState> frontends() {
        return List.of();
    }

    @Override
    public long clusterId() {
        return 42;
    }

    @Override
    public String token() {
        return "secret-token";
    }

    @Override
    public long epoch() {
        return 7;
    }

    @Override
    public void addListener(NodeListener listener) {
        // Nothing ever changes here.
    }
}
