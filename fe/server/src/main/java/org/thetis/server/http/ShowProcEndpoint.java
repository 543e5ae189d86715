// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.http;

import java.util.List;
import org.thetis.query.result.StatementResult;

/** GET /api/show_proc?path=: SHOW PROC over HTTP, rows as arrays. */
public final class ShowProcEndpoint implements Endpoint {
    private final HttpServices services;

    public ShowProcEndpoint(HttpServices services) {
        this.services = services;
    }

    @Override
    public List<String> routes() {
        return List.of("GET /api/show_proc");
    }

    @Override
    public Access access() {
        return Access.ADMIN;
    }

    @Override
    public HttpReply handle(HttpCall call) {
        String path = call.requireParameter("path").replace("\\", "\\\\").replace("'", "''");
        try (HttpSession session = HttpSession.open(services, call)) {
            StatementResult.Held rows = session.held("SHOW PROC '" + path + "'");
            return HttpReply.ok(rows.rows());
        }
    }
}
