// SPDX-License-Identifier: Apache-2.0
#include "base/config.h"
#include "base/text/json_writer.h"
#include "server/http_router.h"
#include "server/http_services.h"

namespace thetis {

namespace {

const char* type_name_of(ConfigType type) {
    switch (type) {
        case ConfigType::kInt:
            return "int32_t";
        case ConfigType::kLong:
            return "int64_t";
        case ConfigType::kBool:
            return "bool";
        case ConfigType::kDouble:
            return "double";
        default:
            return "std::string";
    }
}

}  // namespace

/// GET /api/show_config[?conf_item=k]: rows of name, type, value, mutable.
void register_show_config_endpoint(HttpRouter& router) {
    router.add(
        "GET",
        "/api/show_config",
        [&services = router.services()](const HttpRequest& request, HttpReply& reply) {
            std::string wanted = request.parameter("conf_item");
            JsonWriter json;
            json.begin_array();
            for (const auto& entry : services.config->entries()) {
                if (wanted.empty() || entry.key->name == wanted) {
                    json.begin_array()
                        .value(entry.key->name)
                        .value(type_name_of(entry.key->type))
                        .value(entry.value)
                        .value(entry.key->is_mutable ? "true" : "false")
                        .end_array();
                }
            }
            json.end_array();
            reply.set_json(json.take());
        }
    );
}

}  // namespace thetis
