// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>

#include "base/status.h"
#include "base/thread/mutex.h"
#include "base/thread/thread_pool.h"
#include "storage/engine/row_transform.h"

namespace thetis {

class StorageEngine;

/// Runs the conversions of schema changes in the background, a few at a time. What they reached is
/// only known here while the process runs; a conversion that ended well is seen in its tablet.
/// Thread-safe, idempotent by shadow tablet.
class TabletConversions {
public:
    enum class State : uint8_t { kUnknown, kRunning, kFinished, kFailed };

    struct Progress {
        State state = State::kUnknown;
        Status status{};
    };

    TabletConversions(StorageEngine& engine, int num_threads);
    /// Stops.
    ~TabletConversions();

    /// Starts a conversion, unless it runs or is done; one that failed starts again.
    Status start(int64_t job_id, ConversionRequest request);
    Progress progress(int64_t shadow_tablet_id) const;
    /// The job's conversions end soon, as failed.
    void cancel(int64_t job_id);
    /// Ends all conversions and waits for them.
    void stop();

private:
    struct Conversion {
        int64_t job_id = 0;
        std::atomic<bool> is_cancelled{false};  // Set once; being seen late costs one batch.
        std::optional<Status> outcome;          // Guarded by mutex_.
    };

    StorageEngine& engine_;
    mutable Mutex mutex_;  // Guards what conversions reached.
    std::map<int64_t, std::shared_ptr<Conversion>> conversions_ GUARDED_BY(mutex_);
    ThreadPool pool_;
};

}  // namespace thetis
