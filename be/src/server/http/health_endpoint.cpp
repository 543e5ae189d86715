// SPDX-License-Identifier: Apache-2.0
#include "server/http_router.h"

namespace thetis {

/// GET /api/health: orchestrators test the status code and `OK`.
void register_health_endpoint(HttpRouter& router) {
    router.add("GET", "/api/health", [](const HttpRequest&, HttpReply& reply) {
        reply.set_json("{\"status\": \"OK\",\"msg\": \"To Be Added\"}");
    });
}

}  // namespace thetis
