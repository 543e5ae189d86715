// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.thetis.base.json.Json;

/** GET /api/fe_version_info: which build runs. */
public final class VersionEndpoint implements Endpoint {
    private final HttpServices services;

    public VersionEndpoint(HttpServices services) {
        this.services = services;
    }

    @Override
    public List<String> routes() {
        return List.of("GET /api/fe_version_info");
    }

    @Override
    public Access access() {
        return Access.NONE;
    }

    @Override
    public HttpReply handle(HttpCall call) {
        ObjectNode version = Json.object();
        version.put("dorisBuildVersionPrefix", "doris");
        version.put("dorisBuildVersion", services.server().versionText());
        version.put("dorisBuildHash", services.server().buildHash());
        return HttpReply.ok(Json.object().set("feVersionInfo", version));
    }
}
