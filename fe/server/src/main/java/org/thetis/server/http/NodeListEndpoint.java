// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.http;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.query.result.StatementResult;

/** GET /rest/v2/manager/node/{frontends,backends,brokers}: nodes as SHOW lists them. */
public final class NodeListEndpoint implements Endpoint {
    private final HttpServices services;

    public NodeListEndpoint(HttpServices services) {
        this.services = services;
    }

    @Override
    public List<String> routes() {
        return List.of("GET /rest/v2/manager/node/{kind}");
    }

    @Override
    public Access access() {
        return Access.ADMIN;
    }

    @Override
    public HttpReply handle(HttpCall call) {
        String kind = call.part("kind");
        if (kind.equals("brokers")) {
            return HttpReply.ok(Map.of(
                    "columnNames",
                    List.of("Name", "Host", "Port", "Alive", "LastStartTime", "LastUpdateTime", "ErrMsg"),
                    "rows",
                    List.of()));
        }
        if (!kind.equals("frontends") && !kind.equals("backends")) {
            throw new ThetisException(ErrorCode.NOT_FOUND, "no such node list: " + kind);
        }
        try (HttpSession session = HttpSession.open(services, call)) {
            StatementResult.Held rows = session.held("SHOW " + kind.toUpperCase(Locale.ROOT));
            return HttpReply.ok(Map.of(
                    "columnNames",
                    rows.columns().stream().map(column -> column.name()).toList(),
                    "rows",
                    rows.rows()));
        }
    }
}
