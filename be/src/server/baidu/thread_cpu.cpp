// SPDX-License-Identifier: Apache-2.0
#include "server/baidu/thread_cpu.h"

#include <algorithm>

#include <pthread.h>

namespace thetis {

namespace {

int64_t read_ns(clockid_t clock) {
    timespec now{};
    return clock_gettime(clock, &now) == 0 ? now.tv_sec * int64_t{1'000'000'000} + now.tv_nsec : 0;
}

}  // namespace

ThreadCpu::Member::Member(ThreadCpu& group) : group_(group) {
    // Of the calling thread: cannot fail.
    pthread_getcpuclockid(pthread_self(), &clock_);
    before_ns_ = read_ns(clock_);
    MutexLock lock(group_.mutex_);
    group_.clocks_.push_back({clock_, before_ns_});
}

ThreadCpu::Member::~Member() {
    MutexLock lock(group_.mutex_);
    group_.ended_ns_ += read_ns(clock_) - before_ns_;
    std::erase_if(group_.clocks_, [this](const Clock& each) { return each.id == clock_; });
}

int64_t ThreadCpu::total_ns() const {
    MutexLock lock(mutex_);
    int64_t total = ended_ns_;
    for (const Clock& each : clocks_) {
        total += read_ns(each.id) - each.before_ns;
    }
    return total;
}

}  // namespace thetis
