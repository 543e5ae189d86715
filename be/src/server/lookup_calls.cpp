// SPDX-License-Identifier: Apache-2.0
#include "server/lookup_calls.h"

#include <climits>
#include <cstdlib>
#include <thread>

#include "base/debug_points.h"
#include "query/lookup/lookup_service.h"
#include "server/baidu/rpc_frame.h"
#include "service_lookup.pb.h"

namespace thetis {

namespace {

// Larger messages are not kept for the next call.
constexpr size_t kKeptBytes = size_t{1} << 20;
constexpr int64_t kDefaultDelayMs = 1000;

/// One thread's look-ups. Messages are reused: after the first calls none of them allocates.
class LookupCalls final : public CallHandler {
public:
    LookupCalls(LookupService& lookups, DebugPoints* debug_points)
        : lookups_(lookups), debug_points_(debug_points) {}

    bool call(
        std::string_view method,
        std::string_view message,
        std::string_view /*attachment*/,
        RpcReplyFrame& reply
    ) override {
        if (method != "Lookup") {
            return false;
        }
        if (message.size() > INT_MAX ||
            !request_.ParseFromArray(message.data(), static_cast<int>(message.size()))) {
            reply.fail(RpcError::kBadRequest, "the message is not a LookupRequest");
            return true;
        }
        delay();
        answer_.Clear();
        rows_.clear();
        lookups_.lookup(request_, answer_, rows_);
        answer_.AppendToString(&reply.bytes());
        if (!rows_.empty()) {
            reply.begin_attachment();
            reply.bytes().append(rows_);
        }
        if (rows_.capacity() > kKeptBytes) {
            std::string().swap(rows_);
        }
        if (message.size() > kKeptBytes) {
            pb::LookupRequest().Swap(&request_);
        }
        if (debug_points_ != nullptr && debug_points_->hit("LookupService.lookup.drop")) {
            reply.drop();
        }
        return true;
    }

private:
    /// The debug point LookupService.lookup.delay with the parameter `ms`.
    void delay() {
        if (debug_points_ == nullptr) {
            return;
        }
        auto parameters = debug_points_->find("LookupService.lookup.delay");
        if (!parameters.has_value()) {
            return;
        }
        auto given = parameters->find("ms");
        int64_t delay_ms = given == parameters->end()
                               ? kDefaultDelayMs
                               : std::strtoll(given->second.c_str(), nullptr, 10);
        std::this_thread::sleep_for(std::chrono::milliseconds(delay_ms));
    }

    LookupService& lookups_;
    DebugPoints* const debug_points_;
    pb::LookupRequest request_;
    pb::LookupReply answer_;
    std::string rows_;
};

}  // namespace

CallService make_lookup_calls(LookupService& lookups, DebugPoints* debug_points) {
    return {"thetis.pb.LookupService", [&lookups, debug_points] {
                return std::make_unique<LookupCalls>(lookups, debug_points);
            }};
}

}  // namespace thetis
