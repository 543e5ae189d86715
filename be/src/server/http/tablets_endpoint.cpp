// SPDX-License-Identifier: Apache-2.0
#include "base/cluster_state.h"
#include "base/text/json_writer.h"
#include "server/http_router.h"
#include "server/http_services.h"
#include "storage/engine/storage_engine.h"

namespace thetis {

/// GET /tablets_json?limit=n|all: the tablets of this back end.
void register_tablets_endpoint(HttpRouter& router) {
    router.add(
        "GET",
        "/tablets_json",
        [&services = router.services()](const HttpRequest& request, HttpReply& reply) {
            std::string limit_text = request.parameter("limit");
            size_t limit =
                limit_text == "all"
                    ? SIZE_MAX
                    : (limit_text.empty() ? 1000 : std::strtoull(limit_text.c_str(), nullptr, 10));
            auto reports = services.storage->tablet_reports({});
            auto membership =
                services.cluster == nullptr ? std::nullopt : services.cluster->membership();
            JsonWriter json;
            json.begin_object().field("msg", "OK").field("code", 0).key("data").begin_object();
            json.field("host", membership.has_value() ? membership->backend_host : std::string())
                .key("tablets")
                .begin_array();
            for (size_t i = 0; i < std::min(limit, reports.size()); ++i) {
                json.begin_object()
                    .field("tablet_id", reports[i].tablet_id)
                    .field("partition_id", reports[i].partition_id)
                    .field("version", reports[i].version);
                json.field("num_rows", reports[i].num_rows)
                    .field("data_size", reports[i].data_size_bytes)
                    .field("num_versions", reports[i].num_versions)
                    .end_object();
            }
            json.end_array()
                .end_object()
                .field("count", static_cast<int64_t>(std::min(limit, reports.size())))
                .end_object();
            reply.set_json(json.take());
        }
    );
}

}  // namespace thetis
