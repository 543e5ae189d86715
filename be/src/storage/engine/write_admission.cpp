// SPDX-License-Identifier: Apache-2.0
// The part of the engine that says whether a tablet takes rows now.
#include "base/logging.h"
#include "storage/engine/local_storage_engine.h"
#include "storage/fault.h"

namespace thetis {

namespace {

/// From this share of the limit of versions on writers are slowed.
constexpr int64_t kSlowNumerator = 3;
constexpr int64_t kSlowDenominator = 4;
constexpr auto kLongestDelay = std::chrono::milliseconds(500);
/// At the limit a writer waits this long for compaction before it is refused.
constexpr auto kLongestWait = std::chrono::seconds(20);
constexpr auto kWaitStep = std::chrono::milliseconds(20);

}  // namespace

Status LocalStorageEngine::check_room(const DataDirectory& directory) const {
    RETURN_IF_ERROR(strike(options_.debug_points, "StorageEngine.check_room"));
    return directory.check_room(
        settings_.storage_flood_stage_usage_percent(),
        settings_.storage_flood_stage_left_capacity_bytes()
    );
}

Status LocalStorageEngine::admit_writer(const Tablet& tablet, SteadyTime deadline) {
    const int64_t limit = settings_.max_tablet_version_num();
    const int64_t slow_from = limit / kSlowDenominator * kSlowNumerator;
    int64_t count = tablet.num_versions();
    if (count < slow_from || tablet.is_shadow()) {
        return {};
    }
    add_compaction_candidate(tablet);
    const bool may_shrink = compactions_ != nullptr && !settings_.disable_auto_compaction();
    const SteadyTime start = std::chrono::steady_clock::now();
    if (count < limit && may_shrink) {
        const auto delay =
            kLongestDelay * (count - slow_from) / std::max<int64_t>(1, limit - slow_from);
        deadline = std::min(deadline, start + delay);
    } else {
        deadline = may_shrink ? std::min(deadline, start + kLongestWait) : start;
    }
    {
        MutexLock lock(background_mutex_);
        while (!stopping_ && std::chrono::steady_clock::now() < deadline && count >= slow_from) {
            background_wake_.wait_for(background_mutex_, kWaitStep);
            count = tablet.num_versions();
        }
    }
    if (count < limit) {
        return {};
    }
    return Status::error(
        ErrorCode::kTooManyVersions,
        "Tablet {} has {} versions, the limit is max_tablet_version_num = {}: compaction does not "
        "keep up",
        tablet.id(),
        count,
        limit
    );
}

}  // namespace thetis
