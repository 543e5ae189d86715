// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.node;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Who belongs to the cluster and who is alive. Safe for use from any thread. */
public interface NodeService {
    /** Every back end, by id. */
    List<BackendState> backends();

    Optional<BackendState> findBackend(long id);

    /** Whether heartbeats reach the back end. */
    boolean isAlive(long backendId);

    /** Adds a back end by its heartbeat address and asks it for life signs at once; fails if it is there already. */
    long addBackend(String host, int heartbeatPort);

    /**
     * A back end asks to join by itself. Gives its id, new or known. Fails with INVALID_ARGUMENT when it belongs to another
     * cluster or its token is wrong.
     */
    long registerBackend(String host, int heartbeatPort, long clusterId, String token);

    /** Forgets a back end; its replicas are lost. Fails if there is none at this address. */
    void dropBackend(String host, int heartbeatPort);

    /** Starts or cancels moving everything off a back end. */
    void decommissionBackend(String host, int heartbeatPort, boolean decommissioned);

    /** Sets a tag such as `location`. */
    void tagBackend(String host, int heartbeatPort, Map<String, String> tags);

    List<FrontendState> frontends();

    /** Number of the cluster, shown by SHOW FRONTENDS. */
    long clusterId();

    /** The secret that members of the cluster show each other. */
    String token();

    /** Changes at each start of this process. */
    long epoch();

    /** Tells the listener of every change from now on. */
    void addListener(NodeListener listener);
}
