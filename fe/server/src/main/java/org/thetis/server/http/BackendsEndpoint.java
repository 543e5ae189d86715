// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.thetis.base.json.Json;
import org.thetis.cluster.node.BackendState;

/** GET /api/backends[?is_alive=true]. */
public final class BackendsEndpoint implements Endpoint {
    private final HttpServices services;

    public BackendsEndpoint(HttpServices services) {
        this.services = services;
    }

    @Override
    public List<String> routes() {
        return List.of("GET /api/backends");
    }

    @Override
    public Access access() {
        return Access.USER;
    }

    @Override
    public HttpReply handle(HttpCall call) {
        boolean aliveOnly =
                call.parameter("is_alive").map(Boolean::parseBoolean).orElse(false);
        ObjectNode data = Json.object();
        ArrayNode backends = data.putArray("backends");
        for (BackendState state : services.nodes().backends()) {
            if (state.alive() || !aliveOnly) {
                backends.addObject()
                        .put("ip", state.backend().host())
                        .put("http_port", state.backend().httpPort())
                        .put("is_alive", state.alive());
            }
        }
        return HttpReply.ok(data);
    }
}
