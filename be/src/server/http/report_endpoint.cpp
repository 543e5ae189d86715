// SPDX-License-Identifier: Apache-2.0
#include "agent/reporter.h"
#include "server/http_router.h"
#include "server/http_services.h"

namespace thetis {

/// GET /api/report/{tablet|disk|task}: report to the front end now.
void register_report_endpoint(HttpRouter& router) {
    router.add(
        "GET",
        "/api/report/{kind}",
        [&services = router.services()](const HttpRequest&, HttpReply& reply) {
            services.reporter->report_now();
            reply.set_json("{\"status\": \"Success\",\"msg\": \"reporting\"}");
        }
    );
}

}  // namespace thetis
