// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.json.Json;
import org.thetis.query.result.StatementResult;

/** POST /api/query/{ns}/{db}: runs one statement and answers with its rows as JSON. */
public final class QueryEndpoint implements Endpoint {
    private final HttpServices services;

    public QueryEndpoint(HttpServices services) {
        this.services = services;
    }

    @Override
    public List<String> routes() {
        return List.of("POST /api/query/{ns}/{db}");
    }

    @Override
    public Access access() {
        return Access.USER;
    }

    @Override
    public HttpReply handle(HttpCall call) {
        JsonNode request = call.json();
        String statement = request.path("stmt").asText();
        if (statement.isBlank()) {
            throw new ThetisException(ErrorCode.INVALID_ARGUMENT, "Missing statement request body");
        }
        int limit = request.path("limit").asInt(DEFAULT_LIMIT);
        long start = services.clock().nanos();
        try (HttpSession session = HttpSession.open(services, call)) {
            session.useDatabase(call.part("db"));
            StatementResult result = session.run(statement);
            ObjectNode data = Json.object();
            if (result instanceof StatementResult.Done) {
                data.put("type", "exec_status");
            } else {
                StatementResult.Held rows = session.collect(result, limit);
                data.put("type", "result_set");
                ArrayNode meta = data.putArray("meta");
                rows.columns().forEach(column -> meta.addObject()
                        .put("name", column.name())
                        .put("type", column.type().id().name()));
                data.set("data", JsonRows.of(rows));
            }
            data.putObject("status");
            data.put("time", (services.clock().nanos() - start) / 1_000_000);
            return HttpReply.ok(data);
        }
    }

    private static final int DEFAULT_LIMIT = 1000;
}
