// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>

#include "base/status.h"
#include "base/thread/mutex.h"

namespace thetis {

/// One-way switch shared by everything that works for one query or load. Thread-safe; the first
/// cancel wins. Shared by pointer between the owner and the workers.
class CancellationToken {
public:
    CancellationToken() = default;
    CancellationToken(const CancellationToken&) = delete;
    CancellationToken& operator=(const CancellationToken&) = delete;

    /// True when this call was the one that cancelled. Callbacks run on the calling thread.
    bool cancel(Status reason);

    /// Cheap: one relaxed load. Workers ask once per batch.
    bool is_cancelled() const { return cancelled_.load(std::memory_order_acquire); }

    /// Ok until cancelled, then the reason.
    Status status() const;

    /// Runs `callback` on cancel, at once when cancelled already. The id undoes it; callbacks must
    /// not block.
    uint64_t on_cancel(std::function<void(const Status&)> callback);
    /// After return the callback is not running unless this is called from within it.
    void remove_callback(uint64_t id);

private:
    // Release after reason_ is set; acquire before it is read.
    std::atomic<bool> cancelled_{false};
    mutable Mutex mutex_;  // Guards the rest; not held while callbacks run.
    CondVar callbacks_done_;
    Status reason_ GUARDED_BY(mutex_);
    uint64_t next_id_ GUARDED_BY(mutex_) = 1;
    uint64_t running_id_ GUARDED_BY(mutex_) = 0;
    std::map<uint64_t, std::function<void(const Status&)>> callbacks_ GUARDED_BY(mutex_);
};

using CancellationTokenPtr = std::shared_ptr<CancellationToken>;

}  // namespace thetis
