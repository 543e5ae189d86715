// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.object;

import java.util.Map;

/**
 * A back end as the journal knows it; whether it is alive is for the cluster layer.
 *
 * @param bePort 0, like the other ports, until the first heartbeat told it
 */
public record Backend(
        long id,
        String host,
        int heartbeatPort,
        int bePort,
        int httpPort,
        int brpcPort,
        boolean decommissioned,
        Map<String, String> tags) {
    public Backend {
        tags = Map.copyOf(tags);
    }

    public static Backend joining(long id, String host, int heartbeatPort) {
        return new Backend(id, host, heartbeatPort, 0, 0, 0, false, Map.of("location", "default"));
    }

    public Backend withPorts(int newBePort, int newHttpPort, int newBrpcPort) {
        return new Backend(id, host, heartbeatPort, newBePort, newHttpPort, newBrpcPort, decommissioned, tags);
    }

    public Backend withDecommissioned(boolean isDecommissioned) {
        return new Backend(id, host, heartbeatPort, bePort, httpPort, brpcPort, isDecommissioned, tags);
    }

    public Backend withTags(Map<String, String> changed) {
        return new Backend(id, host, heartbeatPort, bePort, httpPort, brpcPort, decommissioned, changed);
    }
}
