// SPDX-License-Identifier: Apache-2.0
#include "base/unique_id.h"
#include "load/stream_load.h"
#include "server/http_router.h"
#include "server/http_services.h"

namespace thetis {

namespace {

/// False, with the reply filled, when the request carries no usable credentials.
bool make_request(const HttpRequest& from, LoadRequest& to, HttpReply& reply) {
    to.db = from.path_value("db");
    to.table = from.path_value("table");
    to.client_host = from.remote_host;
    to.headers = from.headers;
    to.body_bytes = from.is_chunked ? -1 : std::max<int64_t>(from.content_length, 0);
    to.token = from.header("token");
    Status auth = parse_basic_auth(from.header("authorization"), to.user, to.password);
    to.headers.erase("authorization");  // The password travels in its own field only.
    if (auth.ok() || !to.token.empty()) {
        return true;
    }
    reply.headers["WWW-Authenticate"] = "Basic realm=\"thetis\"";
    reply.status = 401;
    reply.set_json(
        "{\n    \"status\": \"FAILED\",\n    \"msg\": \"Unauthorized: " +
        std::string(auth.message()) + "\"\n}\n"
    );
    return false;
}

void stream_load(StreamLoadService& service, const HttpRequest& from, HttpReply& reply) {
    LoadRequest request;
    if (!make_request(from, request, reply)) {
        return;
    }
    if (from.is_chunked == (from.content_length >= 0)) {
        LoadReply refused;
        refused.label = request.header("label").empty() ? UniqueId::generate().to_string()
                                                        : request.header("label");
        refused.message =
            "[INVALID_ARGUMENT]a load needs either a Content-Length header or Transfer-Encoding: "
            "chunked, and not both";
        reply.set_json(refused.to_json());
        return;
    }
    auto outcome = service.run(request, from.read_body);
    if (outcome.is_unauthenticated) {
        reply.status = 401;
        reply.headers["WWW-Authenticate"] = "Basic realm=\"thetis\"";
    }
    reply.set_json(outcome.reply.to_json());
}

void finish_two_phase(StreamLoadService& service, const HttpRequest& from, HttpReply& reply) {
    LoadRequest request;
    if (!make_request(from, request, reply)) {
        return;
    }
    bool is_unauthenticated = false;
    reply.set_json(service.finish_two_phase(request, is_unauthenticated));
    if (is_unauthenticated) {
        reply.status = 401;
    }
}

}  // namespace

/// PUT /api/{db}/{table}/_stream_load, and the second phase of two-phase loads.
void register_stream_load_endpoint(HttpRouter& router) {
    auto& services = router.services();
    router.require_credentials("/_stream_load");
    router.require_credentials("/_stream_load_2pc");
    router.add(
        "PUT",
        "/api/{db}/{table}/_stream_load",
        [&services](const HttpRequest& request, HttpReply& reply) {
            stream_load(*services.stream_loads, request, reply);
        }
    );
    router.add(
        "PUT",
        "/api/{db}/_stream_load_2pc",
        [&services](const HttpRequest& request, HttpReply& reply) {
            finish_two_phase(*services.stream_loads, request, reply);
        }
    );
    router.add(
        "PUT",
        "/api/{db}/{table}/_stream_load_2pc",
        [&services](const HttpRequest& request, HttpReply& reply) {
            finish_two_phase(*services.stream_loads, request, reply);
        }
    );
}

}  // namespace thetis
