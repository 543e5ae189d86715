// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <ctime>
#include <vector>

#include "base/thread/mutex.h"

namespace thetis {

/// The CPU time of a group of threads, read from their clocks when somebody asks: their work costs
/// nothing for it. Thread-safe.
class ThreadCpu {
public:
    /// Counts the calling thread for as long as this lives. Ends on the thread it began on.
    class Member {
    public:
        explicit Member(ThreadCpu& group);
        ~Member();
        Member(const Member&) = delete;
        Member& operator=(const Member&) = delete;

    private:
        ThreadCpu& group_;
        clockid_t clock_{};
        int64_t before_ns_ = 0;  // What the thread had used when it joined.
    };

    /// Nanoseconds that members have used since they joined, those that left included.
    int64_t total_ns() const;

private:
    struct Clock {
        clockid_t id;
        int64_t before_ns;
    };

    mutable Mutex mutex_;  // A member leaves under it, so that no clock of a dead thread is read.
    std::vector<Clock> clocks_ GUARDED_BY(mutex_);
    int64_t ended_ns_ GUARDED_BY(mutex_) = 0;
};

}  // namespace thetis
