// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "agent/cluster_file.h"
#include "base/cluster_state.h"
#include "base/thread/mutex.h"

namespace thetis::wire {
class HeartbeatReply;
class HeartbeatRequest;
}  // namespace thetis::wire

namespace thetis {

/// What this process tells of itself in every heartbeat.
struct BackendDescription {
    int be_port = 0;
    int http_port = 0;
    int brpc_port = 0;
    std::string version;
    int64_t start_time_ms = 0;
    int64_t process_epoch = 0;
    int64_t num_cores = 0;
    int64_t memory_bytes = 0;
};

/// Answers heartbeats: the first one ever fixes the cluster this back end belongs to, a different
/// cluster is refused. A new epoch of the master is passed on, because queries of the process
/// before are orphans. Thread-safe.
class HeartbeatHandler {
public:
    using EpochListener = std::function<void(const ServiceAddress& master, int64_t epoch)>;

    /// `cluster` outlives the handler; `data_directory` holds the cluster file.
    HeartbeatHandler(
        BackendDescription description,
        std::string data_directory,
        ClusterState& cluster,
        EpochListener on_epoch
    );

    /// Reads the cluster file.
    Status open();

    void heartbeat(const wire::HeartbeatRequest& request, wire::HeartbeatReply& reply);

    /// What the cluster file says; nothing before the first heartbeat ever.
    std::optional<ClusterIdentity> identity() const;

    /// Milliseconds since the last accepted heartbeat; since the start when there was none.
    int64_t silence_ms() const;

private:
    Status accept(const wire::HeartbeatRequest& request);

    const BackendDescription description_;
    const std::string data_directory_;
    ClusterState& cluster_;
    const EpochListener on_epoch_;
    std::atomic<int64_t> last_heartbeat_ms_;  // Steady clock; relaxed, a monitor reads it.
    mutable Mutex
        mutex_;  // Guards identity_; held while the cluster file is written, once in a life.
    std::optional<ClusterIdentity> identity_ GUARDED_BY(mutex_);
};

}  // namespace thetis
