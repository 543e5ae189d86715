// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <thread>
#include <unordered_map>
#include <utility>

#include "base/thread/mutex.h"

namespace thetis {

/// Runs short callbacks at given times on one thread of its own, to about a millisecond.
/// Thread-safe.
class TimerWheel {
public:
    using Id = uint64_t;

    TimerWheel();
    ~TimerWheel();
    TimerWheel(const TimerWheel&) = delete;
    TimerWheel& operator=(const TimerWheel&) = delete;

    /// Runs `callback` once after `delay`. Callbacks must not block: they cancel, wake or submit.
    Id schedule(std::chrono::milliseconds delay, std::function<void()> callback);

    /// False when it has run or is running. Waits for a running callback unless called from it.
    bool cancel(Id id);

    /// Drops what is pending and stops the thread. Idempotent.
    void stop();

    size_t num_pending() const;

private:
    void run();

    mutable Mutex mutex_;  // Guards all below but the thread; not held while a callback runs.
    CondVar wake_;
    CondVar done_;
    std::map<std::pair<SteadyTime, Id>, std::function<void()>> pending_ GUARDED_BY(mutex_);
    std::unordered_map<Id, SteadyTime> times_ GUARDED_BY(mutex_);
    Id next_id_ GUARDED_BY(mutex_) = 1;
    Id running_ GUARDED_BY(mutex_) = 0;
    bool stopping_ GUARDED_BY(mutex_) = false;
    std::thread thread_;
};

}  // namespace thetis
