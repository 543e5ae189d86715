// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/thread/mutex.h"

namespace thetis {

/// Where a service listens.
struct ServiceAddress {
    std::string host;
    int port = 0;

    bool operator==(const ServiceAddress&) const = default;

    std::string to_string() const { return host + ":" + std::to_string(port); }
};

/// What the last heartbeat told: who leads the cluster, who we are in it. Thread-safe.
class ClusterState {
public:
    struct Membership {
        int64_t cluster_id = 0;
        std::string token;
        int64_t backend_id = 0;
        std::string backend_host;
        ServiceAddress master;
        int master_http_port = 0;
        int64_t master_epoch = 0;
    };

    /// Nothing before the first heartbeat of this process.
    std::optional<Membership> membership() const {
        MutexLock lock(mutex_);
        return membership_;
    }

    void set(Membership membership) {
        MutexLock lock(mutex_);
        membership_ = std::move(membership);
    }

private:
    mutable Mutex mutex_;  // Guards membership_.
    std::optional<Membership> membership_ GUARDED_BY(mutex_);
};

}  // namespace thetis
