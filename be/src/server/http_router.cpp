// SPDX-License-Identifier: Apache-2.0
#include "server/http_router.h"

#include <algorithm>

#include <fmt/format.h>

namespace thetis {

namespace {

const std::string kEmpty;

std::vector<std::string> split_path(std::string_view path) {
    std::vector<std::string> segments;
    while (!path.empty()) {
        if (path.front() == '/') {
            path.remove_prefix(1);
            continue;
        }
        size_t end = std::min(path.find('/'), path.size());
        segments.emplace_back(path.substr(0, end));
        path.remove_prefix(end);
    }
    return segments;
}

std::string find_in(const std::map<std::string, std::string>& values, const std::string& name) {
    auto found = values.find(name);
    return found == values.end() ? std::string() : found->second;
}

}  // namespace

std::string HttpRequest::header(const std::string& name) const {
    return find_in(headers, name);
}

std::string HttpRequest::parameter(const std::string& name) const {
    return find_in(parameters, name);
}

const std::string& HttpRequest::path_value(const std::string& name) const {
    auto found = path_values.find(name);
    return found == path_values.end() ? kEmpty : found->second;
}

void HttpReply::set_text(int new_status, std::string text) {
    status = new_status;
    content_type = "text/plain; charset=utf-8";
    body = std::move(text);
}

void HttpReply::set_json(std::string json) {
    content_type = "application/json";
    body = std::move(json);
}

void HttpRouter::add(std::string method, std::string pattern, HttpHandler handler) {
    Route route{std::move(method), split_path(pattern), 0, std::move(handler)};
    route.num_literals = static_cast<size_t>(std::count_if(
        route.segments.begin(),
        route.segments.end(),
        [](const std::string& segment) { return segment.front() != '{'; }
    ));
    // More literal patterns first, so that the first match is the best.
    auto place = std::find_if(routes_.begin(), routes_.end(), [&](const Route& other) {
        return other.num_literals < route.num_literals;
    });
    routes_.insert(place, std::move(route));
}

bool HttpRouter::match(
    const Route& route,
    const std::vector<std::string>& segments,
    std::map<std::string, std::string>& values
) {
    if (route.segments.size() != segments.size()) {
        return false;
    }
    for (size_t i = 0; i < segments.size(); ++i) {
        const std::string& wanted = route.segments[i];
        if (wanted.front() == '{') {
            values[wanted.substr(1, wanted.size() - 2)] = segments[i];
        } else if (wanted != segments[i]) {
            return false;
        }
    }
    return true;
}

void HttpRouter::dispatch(HttpRequest& request, HttpReply& reply) const {
    auto segments = split_path(request.path);
    std::string method = request.method == "HEAD" ? "GET" : request.method;
    std::string allowed;
    for (const auto& route : routes_) {
        std::map<std::string, std::string> values;
        if (!match(route, segments, values)) {
            continue;
        }
        if (route.method != method) {
            allowed += (allowed.empty() ? "" : ", ") + route.method;
            continue;
        }
        request.path_values = std::move(values);
        route.handler(request, reply);
        return;
    }
    if (!allowed.empty()) {
        reply.headers["Allow"] = allowed;
        reply.set_text(
            405, fmt::format("{} is not allowed here; use {}\n", request.method, allowed)
        );
        return;
    }
    reply.set_text(
        404, fmt::format("No endpoint at {} {}\n", request.method, request.path.substr(0, 512))
    );
}

bool HttpRouter::needs_credentials(std::string_view method, std::string_view path) const {
    return method == "PUT" && std::any_of(
                                  guarded_suffixes_.begin(),
                                  guarded_suffixes_.end(),
                                  [&](const std::string& suffix) { return path.ends_with(suffix); }
                              );
}

}  // namespace thetis
