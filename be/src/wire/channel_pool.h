// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>

#include <grpcpp/channel.h>

namespace thetis {

/// Traffic classes with connections of their own, so that a bulk transfer never queues ahead of a
/// cancel.
enum class Lane : uint8_t { kControl, kExchange, kLoad };

/// gRPC channels by (host, port, lane), made on first use and kept. A channel reconnects by itself.
/// Thread-safe.
class ChannelPool {
public:
    explicit ChannelPool(int64_t max_message_bytes) : max_message_bytes_(max_message_bytes) {}

    std::shared_ptr<grpc::Channel> get(const std::string& host, int port, Lane lane);

private:
    const int64_t max_message_bytes_;
    std::mutex mutex_;  // Guards channels_.
    std::map<std::tuple<std::string, int, Lane>, std::shared_ptr<grpc::Channel>> channels_;
};

}  // namespace thetis
