// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.thetis.base.error.ThetisException;
import org.thetis.base.json.Json;

/** GET /api/_set_config?key=value&...: changes settings while running. */
public final class SetConfigEndpoint implements Endpoint {
    private final HttpServices services;

    public SetConfigEndpoint(HttpServices services) {
        this.services = services;
    }

    @Override
    public List<String> routes() {
        return List.of("GET /api/_set_config");
    }

    @Override
    public Access access() {
        return Access.ADMIN;
    }

    @Override
    public HttpReply handle(HttpCall call) {
        boolean persist = call.parameter("persist").map(Boolean::parseBoolean).orElse(false);
        ObjectNode data = Json.object();
        ObjectNode set = data.putObject("set");
        ArrayNode errors = data.putArray("err");
        call.query().forEach((name, values) -> {
            if (name.equals("persist") || name.equals("reset_persist") || values.isEmpty()) {
                return;
            }
            try {
                services.config().set(name, values.get(0), persist);
                set.put(name, values.get(0));
            } catch (ThetisException refused) {
                errors.addObject()
                        .put("config_name", name)
                        .put("config_value", values.get(0))
                        .put("err_info", refused.text());
            }
        });
        data.put("persist", persist ? set.toString() : "");
        return HttpReply.ok(data);
    }
}
