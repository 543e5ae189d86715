// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thetis {

struct HttpServices;

/// One HTTP request, free of the library that read it.
struct HttpRequest {
    /// Calls `piece` until it returns false; false when the body broke off or was stopped.
    using BodyReader = std::function<bool(const std::function<bool(std::string_view)>& piece)>;

    std::string method;
    std::string path;
    std::string remote_host;
    std::map<std::string, std::string> path_values;  ///< `{db}` of the pattern, decoded.
    std::map<std::string, std::string> parameters;   ///< Of the query string.
    std::map<std::string, std::string> headers;      ///< Lower-case names.
    int64_t content_length = -1;                     ///< -1: not given.
    bool is_chunked = false;
    BodyReader read_body;

    /// Empty when absent.
    std::string header(const std::string& name) const;
    std::string parameter(const std::string& name) const;
    const std::string& path_value(const std::string& name) const;
};

struct HttpReply {
    int status = 200;
    std::string content_type = "application/json";
    std::string body;
    std::map<std::string, std::string> headers;

    void set_text(int new_status, std::string text);
    void set_json(std::string json);
};

using HttpHandler = std::function<void(const HttpRequest& request, HttpReply& reply)>;

/// The endpoints of this process: (method, path pattern) to handler. Filled at start, then
/// immutable. A pattern is a path whose segments may be `{name}`; more literal patterns win.
class HttpRouter {
public:
    explicit HttpRouter(HttpServices& services) : services_(services) {}

    /// What endpoints work on.
    HttpServices& services() const { return services_; }

    void add(std::string method, std::string pattern, HttpHandler handler);

    /// Answers the request: 404 names the path, 405 the method.
    void dispatch(HttpRequest& request, HttpReply& reply) const;

    /// Whether a request for this must carry credentials before its body is asked for.
    void require_credentials(std::string suffix) { guarded_suffixes_.push_back(std::move(suffix)); }

    bool needs_credentials(std::string_view method, std::string_view path) const;

private:
    struct Route {
        std::string method;
        std::vector<std::string> segments;
        size_t num_literals;
        HttpHandler handler;
    };

    static bool match(
        const Route& route,
        const std::vector<std::string>& segments,
        std::map<std::string, std::string>& values
    );

    HttpServices& services_;
    std::vector<Route> routes_;
    std::vector<std::string> guarded_suffixes_;
};

}  // namespace thetis
