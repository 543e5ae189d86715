// SPDX-License-Identifier: Apache-2.0
#include <fstream>

#include "base/config.h"
#include "base/text/json_writer.h"
#include "server/http_router.h"
#include "server/http_services.h"

namespace thetis {

namespace {

Status persist(const std::string& path, const std::string& name, const std::string& value) {
    std::ofstream file(path, std::ios::app);
    file << name << " = " << value << "\n";
    file.flush();
    if (!file) {
        return Status::error(ErrorCode::kIoError, "cannot write {}", path);
    }
    return {};
}

}  // namespace

/// POST /api/update_config?k=v[&persist=true]
void register_update_config_endpoint(HttpRouter& router) {
    router.add(
        "POST",
        "/api/update_config",
        [&services = router.services()](const HttpRequest& request, HttpReply& reply) {
            bool is_persistent = request.parameter("persist") == "true";
            JsonWriter json;
            json.begin_array();
            for (const auto& [name, value] : request.parameters) {
                if (name == "persist") {
                    continue;
                }
                Status status = services.config->set(name, value, true);
                if (status.ok() && is_persistent) {
                    status = persist(services.custom_config_path, name, value);
                }
                json.begin_object()
                    .field("config_name", name)
                    .field("status", status.ok() ? "OK" : "BAD")
                    .field("msg", status.ok() ? std::string() : status.to_string())
                    .end_object();
            }
            json.end_array();
            if (services.on_config_changed) {
                services.on_config_changed();
            }
            reply.set_json(json.take());
        }
    );
}

}  // namespace thetis
