// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/status.h"

namespace thetis {

class HttpRouter;

/// Serves a router over HTTP/1.1. Bodies are streamed to handlers; a body that a handler leaves is
/// read away (bounded), so that the client gets its reply. Each connection has a thread of an
/// elastic pool, so slow clients do not starve health checks.
class HttpServer {
public:
    /// `router` is complete and outlives the server.
    explicit HttpServer(const HttpRouter& router);
    ~HttpServer();

    /// Binds and serves on threads of its own. Port 0: any free one.
    Status start(const std::string& host, int port);
    int port() const;
    /// Closes the port, then waits for running requests. Idempotent.
    void stop();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace thetis
