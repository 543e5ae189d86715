// SPDX-License-Identifier: Apache-2.0
#include "base/debug_points.h"
#include "base/text/json_writer.h"
#include "server/http_router.h"
#include "server/http_services.h"

namespace thetis {

namespace {

void answer(HttpReply& reply, const Status& status) {
    JsonWriter json;
    json.begin_object()
        .field("status", status.ok() ? "OK" : "FAILED")
        .field("msg", status.ok() ? std::string("OK") : status.to_string())
        .end_object();
    reply.set_json(json.take());
}

Status add_point(DebugPoints& points, const HttpRequest& request) {
    DebugPoints::Parameters parameters;
    int64_t max_hits = -1;
    int64_t timeout_seconds = -1;
    for (const auto& [name, value] : request.parameters) {
        if (name == "execute" || name == "timeout") {
            char* end = nullptr;
            int64_t number = std::strtoll(value.c_str(), &end, 10);
            if (value.empty() || *end != '\0') {
                return Status::error(
                    ErrorCode::kInvalidArgument, "{} must be a number: '{}'", name, value
                );
            }
            (name == "execute" ? max_hits : timeout_seconds) = number;
        } else {
            parameters[name] = value;
        }
    }
    return points.add(request.path_value("name"), std::move(parameters), max_hits, timeout_seconds);
}

Status check_enabled(const DebugPoints& points) {
    return points.enabled() ? Status()
                            : Status::error(
                                  ErrorCode::kNotSupported,
                                  "debug points are off; set enable_debug_points = true in be.conf"
                              );
}

}  // namespace

/// POST /api/debug_point/add/{name}?timeout=&execute=&k=v, /remove/{name}, /clear: named faults for
/// tests.
void register_debug_point_endpoint(HttpRouter& router) {
    auto& points = *router.services().debug_points;
    router.add(
        "POST",
        "/api/debug_point/add/{name}",
        [&points](const HttpRequest& request, HttpReply& reply) {
            answer(reply, add_point(points, request));
        }
    );
    router.add(
        "POST",
        "/api/debug_point/remove/{name}",
        [&points](const HttpRequest& request, HttpReply& reply) {
            points.remove(request.path_value("name"));
            answer(reply, check_enabled(points));
        }
    );
    router.add("POST", "/api/debug_point/clear", [&points](const HttpRequest&, HttpReply& reply) {
        points.clear();
        answer(reply, check_enabled(points));
    });
}

}  // namespace thetis
