// SPDX-License-Identifier: Apache-2.0
#include "storage/tablet/load_budget.h"

#include <algorithm>

namespace thetis {

namespace {

constexpr auto kWaitStep = std::chrono::milliseconds(500);

}  // namespace

void LoadBudget::join(Member& member) {
    MutexLock lock(mutex_);
    members_.push_back(&member);
}

void LoadBudget::leave(Member& member) {
    MutexLock lock(mutex_);
    std::erase(members_, &member);
}

void LoadBudget::flush_ended(int64_t bytes) {
    MutexLock lock(room_mutex_);
    flushing_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
    used_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
    room_.notify_all();
}

void LoadBudget::relieve() {
    if (filling_bytes() <= limit_bytes_ / 5 * 4) {
        return;
    }
    // Whoever comes second finds the work done.
    if (!mutex_.try_lock()) {
        return;
    }
    std::vector<std::pair<int64_t, Member*>> by_size;
    by_size.reserve(members_.size());
    for (Member* member : members_) {
        if (const int64_t bytes = member->flushable_bytes(); bytes > 0) {
            by_size.emplace_back(bytes, member);
        }
    }
    std::sort(by_size.begin(), by_size.end(), std::greater<>());
    for (const auto& [bytes, member] : by_size) {
        if (filling_bytes() <= limit_bytes_ / 5 * 3) {
            break;
        }
        member->try_flush();
    }
    mutex_.unlock();
}

void LoadBudget::wait_for_room(SteadyTime deadline) {
    if (used_bytes() <= limit_bytes_) {
        return;
    }
    MutexLock lock(room_mutex_);
    while (used_bytes() > limit_bytes_ && flushing_bytes_.load(std::memory_order_relaxed) > 0) {
        const auto now = std::chrono::steady_clock::now();
        if (now >= deadline) {
            return;  // What comes next fails with the deadline.
        }
        room_.wait_until(room_mutex_, deadline - now > kWaitStep ? now + kWaitStep : deadline);
    }
}

}  // namespace thetis
