// SPDX-License-Identifier: Apache-2.0
#include "agent/tablet_conversions.h"

#include "base/logging.h"
#include "storage/engine/storage_engine.h"

namespace thetis {

TabletConversions::TabletConversions(StorageEngine& engine, int num_threads)
    : engine_(engine), pool_("alter_tablet", num_threads) {}

TabletConversions::~TabletConversions() {
    stop();
}

Status TabletConversions::start(int64_t job_id, ConversionRequest request) {
    const int64_t shadow_id = request.shadow_tablet_id;
    if (engine_.is_converted(shadow_id)) {
        return {};
    }
    RETURN_IF_ERROR(engine_.get_tablet(shadow_id).status());
    RETURN_IF_ERROR(engine_.get_tablet(request.base_tablet_id).status());
    auto conversion = std::make_shared<Conversion>();
    conversion->job_id = job_id;
    {
        MutexLock lock(mutex_);
        auto& present = conversions_[shadow_id];
        if (present != nullptr && !present->outcome.has_value()) {
            return {};
        }
        present = conversion;
    }
    request.is_cancelled = [conversion] {
        return conversion->is_cancelled.load(std::memory_order_relaxed);
    };
    const Status queued = pool_.submit([this, conversion, request = std::move(request)] {
        Status outcome = engine_.convert_tablet(request);
        if (!outcome.ok()) {
            LOG_WARN(
                "tablet could not be converted base_tablet_id={} shadow_tablet_id={} reason={}",
                request.base_tablet_id,
                request.shadow_tablet_id,
                outcome.to_string()
            );
        }
        MutexLock lock(mutex_);
        conversion->outcome = std::move(outcome);
    });
    if (!queued.ok()) {
        MutexLock lock(mutex_);
        conversion->outcome = queued;
    }
    return queued;
}

TabletConversions::Progress TabletConversions::progress(int64_t shadow_tablet_id) const {
    {
        MutexLock lock(mutex_);
        const auto found = conversions_.find(shadow_tablet_id);
        if (found != conversions_.end()) {
            const auto& outcome = found->second->outcome;
            if (!outcome.has_value()) {
                return {State::kRunning, {}};
            }
            return outcome->ok() ? Progress{State::kFinished, {}}
                                 : Progress{State::kFailed, *outcome};
        }
    }
    return {engine_.is_converted(shadow_tablet_id) ? State::kFinished : State::kUnknown, {}};
}

void TabletConversions::cancel(int64_t job_id) {
    MutexLock lock(mutex_);
    std::erase_if(conversions_, [job_id](const auto& entry) {
        return entry.second->job_id == job_id && entry.second->outcome.has_value();
    });
    for (const auto& [shadow_id, conversion] : conversions_) {
        if (conversion->job_id == job_id) {
            conversion->is_cancelled.store(true, std::memory_order_relaxed);
        }
    }
}

void TabletConversions::stop() {
    {
        MutexLock lock(mutex_);
        for (const auto& [shadow_id, conversion] : conversions_) {
            conversion->is_cancelled.store(true, std::memory_order_relaxed);
        }
    }
    pool_.shutdown();
}

}  // namespace thetis
