// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace thetis {

class RpcReplyFrame;

/// Serves the calls of one service that arrive at one thread: never used by two threads, so it may
/// keep buffers between calls without locks.
class CallHandler {
public:
    virtual ~CallHandler() = default;
    /// Runs on the connection's own thread, which serves nobody else meanwhile: answers quickly,
    /// never throws. The views end with the call. False: the service has no such method.
    virtual bool call(
        std::string_view method,
        std::string_view message,
        std::string_view attachment,
        RpcReplyFrame& reply
    ) = 0;
};

/// A service by its full name, "thetis.pb.LookupService", and who makes its handlers.
struct CallService {
    std::string name;
    std::function<std::unique_ptr<CallHandler>()> make_handler;
};

}  // namespace thetis
