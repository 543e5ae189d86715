// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/be_settings.gen.h"
#include "base/cluster_state.h"

namespace thetis {

class FrontendClient;
class HeartbeatHandler;
class StorageEngine;

/// Keeps the front ends informed: registers this back end while no heartbeat comes (fe_addresses),
/// reports tablets in full every interval and what changed at once, reports disks. One thread;
/// every call has a deadline and failures are retried.
class Reporter {
public:
    /// All outlive the reporter.
    Reporter(
        StorageEngine& engine,
        FrontendClient& frontends,
        const ClusterState& cluster,
        const HeartbeatHandler& heartbeats,
        const Config& config,
        int heartbeat_port
    );
    ~Reporter();
    Reporter(const Reporter&) = delete;
    Reporter& operator=(const Reporter&) = delete;

    /// invalid_argument when fe_addresses cannot be read.
    Status start();
    /// Some tablet changed; cheap, called from any thread.
    void tablets_changed();
    /// Reports everything soon.
    void report_now();
    void stop();

private:
    struct Sent {
        int64_t version;
        int64_t num_rows;
        int64_t num_versions;
        bool used;

        bool operator==(const Sent&) const = default;
    };

    void run();
    void register_if_alone();
    void report_tablets(bool full);
    void report_disks();

    StorageEngine& engine_;
    FrontendClient& frontends_;
    const ClusterState& cluster_;
    const HeartbeatHandler& heartbeats_;
    const AgentSettings settings_;
    const int heartbeat_port_;
    std::vector<ServiceAddress> fe_addresses_;

    // Used by the thread only.
    std::unordered_map<int64_t, Sent> sent_;
    int64_t sent_to_epoch_ = 0;
    int64_t report_version_;
    std::chrono::steady_clock::time_point next_full_;
    std::chrono::steady_clock::time_point next_disks_;
    std::chrono::steady_clock::time_point next_retry_;
    std::chrono::steady_clock::time_point next_registration_;
    int registration_attempts_ = 0;

    std::mutex mutex_;  // Guards all below.
    std::condition_variable wake_;
    bool changed_ = false;
    bool report_now_ = false;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace thetis
