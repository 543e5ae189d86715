// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.thetis.base.json.Json;

/** GET /api/bootstrap: whether this front end serves; the real numbers only for members of the cluster. */
public final class BootstrapEndpoint implements Endpoint {
    private final HttpServices services;

    public BootstrapEndpoint(HttpServices services) {
        this.services = services;
    }

    @Override
    public List<String> routes() {
        return List.of("GET /api/bootstrap");
    }

    @Override
    public Access access() {
        return Access.NONE;
    }

    @Override
    public HttpReply handle(HttpCall call) {
        if (!services.ready().getAsBoolean()) {
            return HttpReply.failure(HttpReply.GENERIC_FAILURE, "Error", "not ready");
        }
        boolean member = call.parameter("cluster_id")
                        .map(id -> id.equals(Long.toString(services.nodes().clusterId())))
                        .orElse(false)
                && call.parameter("token")
                        .map(token -> token.equals(services.nodes().token()))
                        .orElse(false);
        ObjectNode data = Json.object();
        data.put("replayedJournalId", member ? services.journal().lastApplied() : 0);
        data.put("queryPort", member ? services.config().getInt("query_port") : 0);
        data.put("rpcPort", member ? services.config().getInt("rpc_port") : 0);
        data.put("arrowFlightSqlPort", member ? -1 : 0);
        data.put("version", member ? services.server().version() : "");
        return HttpReply.ok(data);
    }
}
