// SPDX-License-Identifier: Apache-2.0
#include "agent/heartbeat_handler.h"

#include <chrono>

#include "base/logging.h"
#include "heartbeat_service_types.h"
#include "wire/status_codec.h"

namespace thetis {

namespace {

int64_t steady_ms() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::steady_clock::now().time_since_epoch()
    )
        .count();
}

}  // namespace

HeartbeatHandler::HeartbeatHandler(
    BackendDescription description,
    std::string data_directory,
    ClusterState& cluster,
    EpochListener on_epoch
)
    : description_(std::move(description)),
      data_directory_(std::move(data_directory)),
      cluster_(cluster),
      on_epoch_(std::move(on_epoch)),
      last_heartbeat_ms_(steady_ms()) {}

Status HeartbeatHandler::open() {
    ASSIGN_OR_RETURN(auto identity, read_cluster_file(data_directory_));
    MutexLock lock(mutex_);
    identity_ = std::move(identity);
    return {};
}

Status HeartbeatHandler::accept(const wire::HeartbeatRequest& request) {
    MutexLock lock(mutex_);
    if (!identity_.has_value()) {
        ClusterIdentity identity{request.cluster_id, request.token};
        RETURN_IF_ERROR(write_cluster_file(data_directory_, identity));
        LOG_INFO(
            "back end joined a cluster cluster_id={} backend_id={} master={}:{}",
            request.cluster_id,
            request.backend_id,
            request.master.host,
            request.master.port
        );
        identity_ = std::move(identity);
        return {};
    }
    if (identity_->cluster_id != request.cluster_id) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "this back end belongs to cluster {}, not to cluster {}",
            identity_->cluster_id,
            request.cluster_id
        );
    }
    if (identity_->token != request.token) {
        return Status::error(
            ErrorCode::kAccessDenied,
            "the heartbeat's token is not that of cluster {}",
            request.cluster_id
        );
    }
    return {};
}

void HeartbeatHandler::heartbeat(
    const wire::HeartbeatRequest& request, wire::HeartbeatReply& reply
) {
    Status status = accept(request);
    reply.status = to_thrift(status);
    if (!status.ok()) {
        LOG_WARN(
            "heartbeat refused master={}:{} reason={}",
            request.master.host,
            request.master.port,
            status.to_string()
        );
        return;
    }
    last_heartbeat_ms_.store(steady_ms(), std::memory_order_relaxed);
    ClusterState::Membership membership;
    membership.cluster_id = request.cluster_id;
    membership.token = request.token;
    membership.backend_id = request.backend_id;
    membership.backend_host = request.backend_host;
    membership.master = {request.master.host, request.master.port};
    membership.master_http_port = request.master_http_port;
    membership.master_epoch = request.master_epoch;
    auto previous = cluster_.membership();
    cluster_.set(membership);
    if (!previous.has_value() || previous->master_epoch != request.master_epoch ||
        !(previous->master == membership.master)) {
        LOG_INFO(
            "master front end master={} epoch={} backend_id={}",
            membership.master.to_string(),
            request.master_epoch,
            request.backend_id
        );
        on_epoch_(membership.master, request.master_epoch);
    }
    reply.__set_be_port(description_.be_port);
    reply.__set_http_port(description_.http_port);
    reply.__set_brpc_port(description_.brpc_port);
    reply.__set_version(description_.version);
    reply.__set_start_time_ms(description_.start_time_ms);
    reply.__set_process_epoch(description_.process_epoch);
    reply.__set_num_cores(description_.num_cores);
    reply.__set_memory_bytes(description_.memory_bytes);
}

std::optional<ClusterIdentity> HeartbeatHandler::identity() const {
    MutexLock lock(mutex_);
    return identity_;
}

int64_t HeartbeatHandler::silence_ms() const {
    return steady_ms() - last_heartbeat_ms_.load(std::memory_order_relaxed);
}

}  // namespace thetis
