// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.http;

import java.util.List;
import org.thetis.base.json.Json;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.Privilege;

/** GET /api/{db}/{table}/_count: rows as last reported. */
public final class TableCountEndpoint implements Endpoint {
    private final HttpServices services;

    public TableCountEndpoint(HttpServices services) {
        this.services = services;
    }

    @Override
    public List<String> routes() {
        return List.of("GET /api/{db}/{table}/_count");
    }

    @Override
    public Access access() {
        return Access.USER;
    }

    @Override
    public HttpReply handle(HttpCall call) {
        OlapTable table =
                services.catalog().snapshot().getDatabase(call.part("db")).getOlapTable(call.part("table"));
        services.catalog()
                .snapshot()
                .accessChecker()
                .checkTable(call.requireUser().identity(), call.part("db"), table.name(), Privilege.SELECT);
        return HttpReply.ok(
                Json.object().put("status", 200).put("size", services.replicas().numRows(table)));
    }
}
