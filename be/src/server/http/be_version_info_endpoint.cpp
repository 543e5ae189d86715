// SPDX-License-Identifier: Apache-2.0
#include "base/text/json_writer.h"
#include "server/http_router.h"
#include "server/http_services.h"

namespace thetis {

/// GET /api/be_version_info
void register_be_version_info_endpoint(HttpRouter& router) {
    router.add(
        "GET",
        "/api/be_version_info",
        [&services = router.services()](const HttpRequest&, HttpReply& reply) {
            JsonWriter json;
            json.begin_object()
                .field("msg", "success")
                .field("code", 0)
                .key("data")
                .begin_object()
                .key("beVersionInfo")
                .begin_object();
            json.field("dorisBuildVersionPrefix", "thetis")
                .field("dorisBuildVersion", services.version)
                .field("dorisBuildHash", "")
                .field("dorisBuildTime", __DATE__);
            json.end_object().end_object().field("count", 0).end_object();
            reply.set_json(json.take());
        }
    );
}

}  // namespace thetis
