// SPDX-License-Identifier: Apache-2.0
#include "storage/rowset/segment_cache.h"

#include <algorithm>

#include <sys/resource.h>

namespace thetis {

namespace {

// The first round takes the flags of use, the next lets go of tablets' views, the one after that of
// rowsets that only views kept; one more for what was used in between.
constexpr int kMaxRounds = 4;

// What a process without a limit gets; also the largest limit that Linux has unless it is told so.
constexpr int64_t kMaxFiles = 1 << 20;

}  // namespace

SegmentCache::SegmentCache(int64_t capacity)
    : capacity_(capacity), open_(std::make_shared<Gauge>()), hand_(holders_.end()) {}

void SegmentCache::add(const SegmentHolder& holder) {
    {
        MutexLock lock(mutex_);
        if (!holder.is_listed_.load(std::memory_order_relaxed)) {
            // The last that the hand comes to.
            holder.place_ = holders_.insert(hand_, &holder);
            holder.is_listed_.store(true, std::memory_order_relaxed);
        }
    }
    make_room(capacity_, false);
}

void SegmentCache::remove(const SegmentHolder& holder) {
    if (!holder.is_listed_.load(std::memory_order_acquire)) {
        return;
    }
    MutexLock lock(mutex_);
    if (holder.is_listed_.load(std::memory_order_relaxed)) {
        unlist(holder);
    }
}

void SegmentCache::unlist(const SegmentHolder& holder) {
    if (hand_ == holder.place_) {
        ++hand_;
    }
    holders_.erase(holder.place_);
    holder.is_listed_.store(false, std::memory_order_release);
}

void SegmentCache::trim() {
    make_room(capacity_, true);
}

void SegmentCache::clear() {
    make_room(0, true);
}

void SegmentCache::make_room(int64_t capacity, bool retry) {
    bool has_changed = true;
    for (int round = 0; round < kMaxRounds && has_changed; ++round) {
        SegmentHolder::Released released;  // Goes without the lock: holders may go with it.
        MutexLock lock(mutex_);
        const int64_t open = open_->value();
        if (open <= capacity) {
            retry_at_ = 0;
            return;
        }
        if (round == 0 && !retry && open < retry_at_) {
            return;
        }
        has_changed = sweep(capacity, released);
        // Where readers hold so much, going around at every open would find nothing again and
        // again.
        retry_at_ = has_changed ? 0 : open + open / 8;
    }
}

bool SegmentCache::sweep(int64_t capacity, SegmentHolder::Released& released) {
    int64_t surplus = open_->value() - capacity;
    bool has_changed = false;
    for (size_t steps = holders_.size(); steps > 0 && surplus > 0; --steps) {
        if (hand_ == holders_.end()) {
            hand_ = holders_.begin();
        }
        const SegmentHolder& holder = **hand_;
        if (holder.was_used()) {
            has_changed = true;
            ++hand_;
            continue;
        }
        const int64_t num_released = holder.release(released);
        if (num_released < 0) {
            ++hand_;
            continue;
        }
        has_changed = true;
        surplus -= num_released;
        evictions_.add(num_released > 0 ? 1 : 0);
        unlist(holder);
    }
    return has_changed;
}

SegmentCache::Counts SegmentCache::counts() const {
    return {.capacity = capacity_, .open = open_->value(), .evictions = evictions_.value()};
}

int64_t segment_cache_capacity(int64_t configured, int64_t share_percent, int64_t max_files) {
    const int64_t share = max_files * share_percent / 100;
    return configured < 0 ? share : std::min(configured, share);
}

int64_t max_open_files() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > kMaxFiles) {
        return kMaxFiles;
    }
    return static_cast<int64_t>(limit.rlim_cur);
}

}  // namespace thetis
