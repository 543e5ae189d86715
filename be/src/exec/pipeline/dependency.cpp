// SPDX-License-Identifier: Apache-2.0
#include "exec/pipeline/dependency.h"

namespace thetis {

void Dependency::set_ready() {
    std::vector<std::weak_ptr<Waiter>> waiters;
    {
        std::lock_guard lock(mutex_);
        ready_.store(true, std::memory_order_release);
        waiters.swap(waiters_);
    }
    for (auto& weak : waiters) {
        if (auto waiter = weak.lock()) {
            waiter->wake();
        }
    }
}

void Dependency::reset() {
    std::lock_guard lock(mutex_);
    ready_.store(false, std::memory_order_release);
}

bool Dependency::wait(std::weak_ptr<Waiter> waiter) {
    std::lock_guard lock(mutex_);
    if (ready_.load(std::memory_order_acquire)) {
        return false;
    }
    waiters_.push_back(std::move(waiter));
    return true;
}

}  // namespace thetis
