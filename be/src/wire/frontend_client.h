// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/cluster_state.h"
#include "base/status.h"

namespace thetis::wire {
class FrontendServiceClient;
class LoadAbortRequest;
class LoadBeginReply;
class LoadBeginRequest;
class LoadCommitReply;
class LoadCommitRequest;
class LoadFinishReply;
class LoadFinishRequest;
class RegisterBackendReply;
class RegisterBackendRequest;
class ReportRequest;
class StatusReply;
}  // namespace thetis::wire

namespace thetis {

/// Calls front ends over pooled Thrift connections, each call with a deadline. All calls are
/// idempotent by id, so a call that fails on a pooled connection (the front end restarted) is tried
/// once more on a fresh one. Thread-safe.
class FrontendClient {
public:
    FrontendClient();
    ~FrontendClient();
    FrontendClient(const FrontendClient&) = delete;
    FrontendClient& operator=(const FrontendClient&) = delete;

    Status register_backend(
        const ServiceAddress& fe,
        const wire::RegisterBackendRequest& request,
        int timeout_ms,
        wire::RegisterBackendReply& reply
    );
    Status report(const ServiceAddress& fe, const wire::ReportRequest& request, int timeout_ms);
    Status load_begin(
        const ServiceAddress& fe,
        const wire::LoadBeginRequest& request,
        int timeout_ms,
        wire::LoadBeginReply& reply
    );
    Status load_commit(
        const ServiceAddress& fe,
        const wire::LoadCommitRequest& request,
        int timeout_ms,
        wire::LoadCommitReply& reply
    );
    Status load_abort(
        const ServiceAddress& fe, const wire::LoadAbortRequest& request, int timeout_ms
    );
    Status load_finish(
        const ServiceAddress& fe,
        const wire::LoadFinishRequest& request,
        int timeout_ms,
        wire::LoadFinishReply& reply
    );

private:
    struct Connection;

    template <typename Call>
    Status call(const ServiceAddress& fe, int timeout_ms, const char* method, Call&& body);
    std::unique_ptr<Connection> take_idle(const ServiceAddress& fe);
    void give_back(const ServiceAddress& fe, std::unique_ptr<Connection> connection);

    std::mutex mutex_;  // Guards idle_; never held during a call.
    std::map<std::string, std::vector<std::unique_ptr<Connection>>> idle_;
};

}  // namespace thetis
