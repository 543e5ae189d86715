// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.http;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;

/** POST /api/debug_point/add/{name}, remove/{name}, clear: switches named faults. */
public final class DebugPointEndpoint implements Endpoint {
    private final HttpServices services;

    public DebugPointEndpoint(HttpServices services) {
        this.services = services;
    }

    @Override
    public List<String> routes() {
        return List.of(
                "POST /api/debug_point/add/{name}",
                "POST /api/debug_point/remove/{name}",
                "POST /api/debug_point/clear");
    }

    @Override
    public Access access() {
        return Access.ADMIN;
    }

    @Override
    public HttpReply handle(HttpCall call) {
        if (call.path().endsWith("/clear")) {
            services.debugPoints().clear();
        } else if (call.path().contains("/remove/")) {
            services.debugPoints().remove(call.part("name"));
        } else {
            Map<String, String> parameters = new HashMap<>();
            call.query().forEach((name, values) -> parameters.put(name, values.isEmpty() ? "" : values.get(0)));
            int executions = number(parameters.remove("execute"));
            int timeoutSeconds = number(parameters.remove("timeout"));
            services.debugPoints().add(call.part("name"), parameters, executions, timeoutSeconds * 1000L);
        }
        return HttpReply.ok("OK");
    }

    private static int number(@org.jspecify.annotations.Nullable String text) {
        if (text == null) {
            return -1;
        }
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException notANumber) {
            throw new ThetisException(ErrorCode.INVALID_ARGUMENT, "not a number: '" + text + "'", notANumber);
        }
    }
}
