// SPDX-License-Identifier: Apache-2.0
#include "load/error_log.h"
#include "server/http_router.h"
#include "server/http_services.h"

namespace thetis {

/// GET /api/_load_error_log?file=: the bad rows of a load.
void register_load_error_log_endpoint(HttpRouter& router) {
    router.add(
        "GET",
        "/api/_load_error_log",
        [&services = router.services()](const HttpRequest& request, HttpReply& reply) {
            auto content = services.error_logs->read(request.parameter("file"));
            if (content.ok()) {
                reply.set_text(200, content.take());
            } else {
                reply.set_text(404, content.status().to_string() + "\n");
            }
        }
    );
}

}  // namespace thetis
