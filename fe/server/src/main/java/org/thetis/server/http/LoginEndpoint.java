// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.http;

import java.util.List;

/** POST /rest/v1/login: connectors check credentials with it. */
public final class LoginEndpoint implements Endpoint {
    @Override
    public List<String> routes() {
        return List.of("POST /rest/v1/login", "GET /rest/v1/login");
    }

    @Override
    public Access access() {
        return Access.USER;
    }

    @Override
    public HttpReply handle(HttpCall call) {
        return HttpReply.ok("Login success!");
    }
}
