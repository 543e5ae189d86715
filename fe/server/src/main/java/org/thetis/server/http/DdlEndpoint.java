// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.http;

import java.util.List;
import java.util.Map;
import org.thetis.query.result.StatementResult;

/** GET /api/_get_ddl?db=&table=: SHOW CREATE TABLE over HTTP. */
public final class DdlEndpoint implements Endpoint {
    private final HttpServices services;

    public DdlEndpoint(HttpServices services) {
        this.services = services;
    }

    @Override
    public List<String> routes() {
        return List.of("GET /api/_get_ddl");
    }

    @Override
    public Access access() {
        return Access.USER;
    }

    @Override
    public HttpReply handle(HttpCall call) {
        String database = call.requireParameter("db").replace("`", "``");
        String table = call.requireParameter("table").replace("`", "``");
        try (HttpSession session = HttpSession.open(services, call)) {
            StatementResult.Held rows = session.held("SHOW CREATE TABLE `" + database + "`.`" + table + "`");
            return HttpReply.ok(Map.of(
                    "create_table", List.of(String.valueOf(rows.rows().get(0).get(1)))));
        }
    }
}
