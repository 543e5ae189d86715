// SPDX-License-Identifier: Apache-2.0
#include "server/http_router.h"
#include "server/http_services.h"
#include "storage/engine/storage_engine.h"

namespace thetis {

/// GET /api/clear_cache/{type}
void register_clear_cache_endpoint(HttpRouter& router) {
    router.add(
        "GET",
        "/api/clear_cache/{type}",
        [&services = router.services()](const HttpRequest& request, HttpReply& reply) {
            const std::string& type = request.path_value("type");
            if (type != "all" && type != "DataPageCache") {
                reply.set_text(404, "No cache named " + type + "\n");
                return;
            }
            services.storage->clear_page_cache();
            reply.set_json("{\"status\": \"OK\",\"msg\": \"cleared\"}");
        }
    );
}

}  // namespace thetis
