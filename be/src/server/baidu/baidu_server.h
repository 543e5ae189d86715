// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/status.h"
#include "server/baidu/call_handler.h"

namespace thetis {

class MetricRegistry;

struct BaiduServerOptions {
    int num_threads = 2;
    /// A larger frame ends its connection.
    uint64_t max_body_bytes = uint64_t{64} << 20;
    /// How long a thread that was just busy looks for more before it sleeps, microseconds.
    int spin_us = 0;
    /// Replies that one connection may owe before its requests are left unread.
    size_t max_unsent_bytes = size_t{1} << 20;
    /// A connection with half a frame or with unsent replies and without progress is closed.
    std::chrono::milliseconds stall_timeout{60'000};
};

/// Serves small calls in baidu_std framing: threads that each own their connections, read what has
/// arrived, run the calls in place and send all their replies at once. Nothing a client sends can
/// end more than its own connection.
class BaiduServer {
public:
    /// `metrics` outlives the server.
    BaiduServer(
        std::vector<CallService> services, BaiduServerOptions options, MetricRegistry& metrics
    );
    ~BaiduServer();
    BaiduServer(const BaiduServer&) = delete;
    BaiduServer& operator=(const BaiduServer&) = delete;

    Status start();
    /// Takes over a connected socket; closes it after stop(). Thread-safe.
    void serve(int socket);
    /// Sends what is owed and the end, closes; waits for clients half a second at most.
    /// Idempotent.
    void stop();

    int64_t num_connections() const;

private:
    class Loop;
    struct Metrics;

    const std::vector<CallService> services_;
    const BaiduServerOptions options_;
    std::unique_ptr<Metrics> metrics_;
    std::vector<std::unique_ptr<Loop>> loops_;
    std::atomic<uint32_t> next_loop_{0};  // Only spreads connections; no order is needed.
};

}  // namespace thetis
