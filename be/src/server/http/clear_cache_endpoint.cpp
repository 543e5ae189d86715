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
            if (type != "all" && type != "DataPageCache" && type != "SegmentCache") {
                reply.set_text(404, "No cache named " + type + "\n");
                return;
            }
            if (type != "SegmentCache") {
                services.storage->clear_page_cache();
            }
            if (type != "DataPageCache") {
                services.storage->clear_segment_cache();
            }
            reply.set_json("{\"status\": \"OK\",\"msg\": \"cleared\"}");
        }
    );
}

}  // namespace thetis
