// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "base/thread/mutex.h"

namespace thetis {

/// Named faults that tests switch on while the process runs; nothing happens unless the object was
/// made with `enable_debug_points`. Code asks `find("TabletWriter.close.fail")` where the fault
/// would strike. Thread-safe.
class DebugPoints {
public:
    using Parameters = std::map<std::string, std::string, std::less<>>;

    explicit DebugPoints(bool enabled) : enabled_(enabled) {}

    /// `max_hits` < 0: until removed; `timeout_seconds` < 0: without end. Fails when debug points
    /// are disabled.
    Status add(
        std::string name, Parameters parameters, int64_t max_hits = -1, int64_t timeout_seconds = -1
    );
    void remove(std::string_view name);
    void clear();

    /// Parameters when the point is on, and counts one hit; nothing otherwise. One relaxed load
    /// while no point is on.
    std::optional<Parameters> find(std::string_view name);

    /// find() for points without parameters.
    bool hit(std::string_view name) {
        return num_active_.load(std::memory_order_relaxed) != 0 && find(name).has_value();
    }

    bool enabled() const { return enabled_; }

private:
    struct Point {
        Parameters parameters;
        int64_t hits_left;
        bool expires;
        SteadyTime expiry;
    };

    const bool enabled_;
    std::atomic<int> num_active_{0};  // Only a hint that avoids the lock; staleness is harmless.
    Mutex mutex_;                     // Guards points_.
    std::map<std::string, Point, std::less<>> points_ GUARDED_BY(mutex_);
};

}  // namespace thetis
