// SPDX-License-Identifier: Apache-2.0
#include "server/http_server.h"

#include <chrono>
#include <thread>

#include "base/logging.h"
#include "server/elastic_task_queue.h"
#include "server/http_library.h"
#include "server/http_router.h"

namespace thetis {

namespace {

constexpr size_t kMaxThreads = 1024;
constexpr int kReadTimeoutSeconds = 120;
constexpr int kKeepAliveSeconds = 30;
constexpr size_t kKeepAliveRequests = 1000;
// How much of an unwanted body is read away before the connection is given up.
constexpr int64_t kMaxDiscardedBytes = int64_t{1} << 30;
constexpr auto kMaxDiscardTime = std::chrono::seconds(20);

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    return text;
}

void refuse_unauthenticated(httplib::Response& response) {
    response.status = 401;
    response.set_header("WWW-Authenticate", "Basic realm=\"thetis\"");
    response.set_header("Connection", "close");
    response.set_content(
        "{\n    \"status\": \"FAILED\",\n    \"msg\": \"Unauthorized: a Basic Authorization header "
        "is needed\"\n}\n",
        "application/json"
    );
}

HttpRequest convert(const httplib::Request& from) {
    HttpRequest request;
    request.method = from.method;
    request.path = from.path;
    request.remote_host = from.remote_addr;
    for (const auto& [name, value] : from.params) {
        request.parameters[name] = value;
    }
    for (const auto& [name, value] : from.headers) {
        request.headers[lower(name)] = value;
    }
    if (auto length = request.headers.find("content-length"); length != request.headers.end()) {
        char* end = nullptr;
        request.content_length = std::strtoll(length->second.c_str(), &end, 10);
        if (end == length->second.c_str() || *end != '\0' || request.content_length < 0) {
            request.content_length = -1;
        }
    }
    request.is_chunked =
        lower(request.header("transfer-encoding")).find("chunked") != std::string::npos;
    return request;
}

/// Reads a body for a handler; when the handler stops, the rest is read away within bounds.
class StreamedBody {
public:
    StreamedBody(const httplib::ContentReader& reader, bool has_body)
        : reader_(reader), finished_(!has_body) {}

    bool read(const std::function<bool(std::string_view)>& piece) {
        if (finished_) {
            return true;
        }
        finished_ = true;
        bool stopped = false;
        int64_t discarded = 0;
        std::chrono::steady_clock::time_point give_up;
        bool complete = reader_([&](const char* data, size_t size) {
            if (!stopped && !piece({data, size})) {
                stopped = true;
                give_up = std::chrono::steady_clock::now() + kMaxDiscardTime;
            }
            if (stopped) {
                discarded += static_cast<int64_t>(size);
                return discarded < kMaxDiscardedBytes && std::chrono::steady_clock::now() < give_up;
            }
            return true;
        });
        return complete && !stopped;
    }

    void discard() {
        read([](std::string_view) { return false; });
    }

private:
    const httplib::ContentReader& reader_;
    bool finished_;
};

}  // namespace

struct HttpServer::State {
    const HttpRouter& router;
    httplib::Server server;
    std::thread thread;
    int port = 0;

    explicit State(const HttpRouter& routes) : router(routes) {}

    bool is_refused(const httplib::Request& request) const {
        return router.needs_credentials(request.method, request.path) &&
               !request.has_header("Authorization") && !request.has_header("token");
    }

    void serve(
        const httplib::Request& from, httplib::Response& to, const httplib::ContentReader* reader
    ) {
        HttpRequest request = convert(from);
        HttpReply reply;
        bool has_body = reader != nullptr && (request.is_chunked || request.content_length > 0);
        static const httplib::ContentReader kNoReader(nullptr, nullptr);
        StreamedBody body(reader == nullptr ? kNoReader : *reader, has_body);
        if (is_refused(from)) {
            body.discard();
            refuse_unauthenticated(to);
            return;
        }
        request.read_body = [&](const std::function<bool(std::string_view)>& piece) {
            return body.read(piece);
        };
        try {
            router.dispatch(request, reply);
        } catch (const std::exception& e) {
            LOG_ERROR("HTTP handler failed path={} reason={}", request.path, e.what());
            reply.set_text(500, "internal error\n");
        }
        body.discard();
        to.status = reply.status;
        for (const auto& [name, value] : reply.headers) {
            to.set_header(name, value);
        }
        to.set_content(reply.body, reply.content_type);
    }

    void register_handlers() {
        auto plain = [this](const httplib::Request& request, httplib::Response& response) {
            serve(request, response, nullptr);
        };
        auto streamed = [this](
                            const httplib::Request& request,
                            httplib::Response& response,
                            const httplib::ContentReader& reader
                        ) { serve(request, response, &reader); };
        // `[^]` is any character: the router matches paths itself.
        const std::string any = "[^]*";
        server.Get(any, plain);
        server.Options(any, plain);
        server.Put(any, httplib::Server::HandlerWithContentReader(streamed));
        server.Post(any, httplib::Server::HandlerWithContentReader(streamed));
        server.Delete(any, httplib::Server::HandlerWithContentReader(streamed));
        server.set_expect_100_continue_handler(
            [this](const httplib::Request& request, httplib::Response& response) {
                if (is_refused(request)) {
                    refuse_unauthenticated(response);
                    // The library writes this reply without working out its length.
                    response.set_header("Content-Length", std::to_string(response.body.size()));
                    return 401;
                }
                return 100;
            }
        );
    }
};

HttpServer::HttpServer(const HttpRouter& router) : state_(std::make_unique<State>(router)) {
    auto& server = state_->server;
    server.new_task_queue = [] {
        return std::make_unique<ElasticTaskQueue>(kMaxThreads).release();
    };  // The library owns it.
    server.set_tcp_nodelay(true);
    server.set_read_timeout(kReadTimeoutSeconds);
    server.set_write_timeout(kReadTimeoutSeconds);
    server.set_keep_alive_timeout(kKeepAliveSeconds);
    server.set_keep_alive_max_count(kKeepAliveRequests);
    // The default also sets SO_REUSEPORT, with which a second process would silently share the
    // port.
    server.set_socket_options([](int socket) {
        int yes = 1;
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    });
    state_->register_handlers();
}

HttpServer::~HttpServer() {
    stop();
}

Status HttpServer::start(const std::string& host, int port) {
    auto& server = state_->server;
    if (port == 0) {
        state_->port = server.bind_to_any_port(host);
    } else {
        state_->port = server.bind_to_port(host, port) ? port : -1;
    }
    if (state_->port <= 0) {
        return Status::error(
            ErrorCode::kIoError,
            "cannot listen on HTTP port {} (webserver_port): is it in use?",
            port
        );
    }
    state_->thread = std::thread([this] { state_->server.listen_after_bind(); });
    return {};
}

int HttpServer::port() const {
    return state_->port;
}

void HttpServer::stop() {
    if (state_->thread.joinable()) {
        // stop() before the accept loop runs would be lost.
        for (int i = 0; i < 100 && !state_->server.is_running(); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        state_->server.stop();
        state_->thread.join();
    }
}

}  // namespace thetis
