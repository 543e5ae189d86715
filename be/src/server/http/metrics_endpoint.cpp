// SPDX-License-Identifier: Apache-2.0
#include "base/metrics.h"
#include "server/http_router.h"
#include "server/http_services.h"

namespace thetis {

/// GET /metrics: Prometheus text.
void register_metrics_endpoint(HttpRouter& router) {
    router.add(
        "GET",
        "/metrics",
        [&services = router.services()](const HttpRequest&, HttpReply& reply) {
            reply.set_text(200, services.metrics->prometheus_text("doris_be_"));
            reply.content_type = "text/plain; version=0.0.4; charset=utf-8";
        }
    );
}

}  // namespace thetis
