// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.http;

import java.util.ArrayList;
import java.util.List;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;

/** GET /api/meta/namespaces/{ns}/databases and .../{db}/tables: names the user may see. */
public final class NamespaceEndpoint implements Endpoint {
    private final HttpServices services;

    public NamespaceEndpoint(HttpServices services) {
        this.services = services;
    }

    @Override
    public List<String> routes() {
        return List.of(
                "GET /api/meta/namespaces/{ns}/databases",
                "GET /api/meta/namespaces/{ns}/databases/{db}/tables",
                "GET /rest/v2/api/meta/namespaces/{ns}/databases",
                "GET /rest/v2/api/meta/namespaces/{ns}/databases/{db}/tables");
    }

    @Override
    public Access access() {
        return Access.USER;
    }

    @Override
    public HttpReply handle(HttpCall call) {
        try (HttpSession session = HttpSession.open(services, call)) {
            String database = call.pathParts().get("db");
            String sql = database == null ? "SHOW DATABASES" : "SHOW TABLES FROM `" + database.replace("`", "``") + "`";
            List<String> names = new ArrayList<>();
            session.held(sql).rows().forEach(row -> names.add(String.valueOf(row.get(0))));
            return HttpReply.ok(page(names, call));
        }
    }

    private static List<String> page(List<String> names, HttpCall call) {
        int offset = call.parameter("offset").map(NamespaceEndpoint::number).orElse(0);
        int limit = call.parameter("limit").map(NamespaceEndpoint::number).orElse(names.size());
        return names.stream().skip(offset).limit(limit).toList();
    }

    private static int number(String text) {
        if (!text.matches("\\d{1,9}")) {
            throw new ThetisException(ErrorCode.INVALID_ARGUMENT, "not a number: '" + text + "'");
        }
        return Integer.parseInt(text);
    }
}
