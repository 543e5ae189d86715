// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.thetis.base.json.Json;
import org.thetis.cluster.node.BackendState;

/** GET /api/health: how many back ends there are and how many answer. */
public final class HealthEndpoint implements Endpoint {
    private final HttpServices services;

    public HealthEndpoint(HttpServices services) {
        this.services = services;
    }

    @Override
    public List<String> routes() {
        return List.of("GET /api/health");
    }

    @Override
    public Access access() {
        return Access.NONE;
    }

    @Override
    public HttpReply handle(HttpCall call) {
        List<BackendState> backends = services.nodes().backends();
        ObjectNode data = Json.object();
        data.put("total_backend_num", backends.size());
        data.put(
                "online_backend_num",
                backends.stream().filter(BackendState::alive).count());
        return HttpReply.ok(data);
    }
}
