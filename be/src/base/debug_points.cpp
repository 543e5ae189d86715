// SPDX-License-Identifier: Apache-2.0
#include "base/debug_points.h"

namespace thetis {

Status DebugPoints::add(
    std::string name, Parameters parameters, int64_t max_hits, int64_t timeout_seconds
) {
    if (!enabled_) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "Debug points are disabled: set enable_debug_points = true in be.conf"
        );
    }
    const SteadyTime expiry = std::chrono::steady_clock::now() +
                              std::chrono::seconds(std::max<int64_t>(timeout_seconds, 0));
    MutexLock lock(mutex_);
    points_[std::move(name)] = {std::move(parameters), max_hits, timeout_seconds >= 0, expiry};
    num_active_ = static_cast<int>(points_.size());
    return {};
}

void DebugPoints::remove(std::string_view name) {
    MutexLock lock(mutex_);
    if (auto point = points_.find(name); point != points_.end()) {
        points_.erase(point);
    }
    num_active_ = static_cast<int>(points_.size());
}

void DebugPoints::clear() {
    MutexLock lock(mutex_);
    points_.clear();
    num_active_ = 0;
}

std::optional<DebugPoints::Parameters> DebugPoints::find(std::string_view name) {
    if (num_active_.load(std::memory_order_relaxed) == 0) {
        return std::nullopt;
    }
    MutexLock lock(mutex_);
    auto entry = points_.find(name);
    if (entry == points_.end()) {
        return std::nullopt;
    }
    Point& point = entry->second;
    if (point.hits_left == 0 ||
        (point.expires && std::chrono::steady_clock::now() >= point.expiry)) {
        points_.erase(entry);
        num_active_ = static_cast<int>(points_.size());
        return std::nullopt;
    }
    if (point.hits_left > 0) {
        --point.hits_left;
    }
    return point.parameters;
}

}  // namespace thetis
