// SPDX-License-Identifier: Apache-2.0
#include "storage/tablet/kept_views.h"

#include <algorithm>
#include <utility>

#include "storage/tablet/point_view.h"

namespace thetis {

namespace {

constexpr uint8_t kUsedForCache = 1;
constexpr uint8_t kUsedForIdle = 2;
constexpr uint8_t kUsed = kUsedForCache | kUsedForIdle;

}  // namespace

KeptViews::KeptViews(std::shared_ptr<SegmentCache> open_segments)
    : open_segments_(std::move(open_segments)) {}

KeptViews::~KeptViews() {
    if (open_segments_ != nullptr) {
        open_segments_->remove(*this);
    }
}

std::shared_ptr<const PointView> KeptViews::find(
    int64_t version, uint64_t layout, std::shared_ptr<const PointView>& newest
) const {
    MutexLock lock(mutex_);
    for (const Kept& kept : views_) {
        if (kept.view != nullptr && kept.layout == layout && kept.view->version() == version) {
            // Stored only where it changes: many threads look up in one tablet.
            if (used_.load(std::memory_order_relaxed) != kUsed) {
                used_.store(kUsed, std::memory_order_relaxed);
            }
            return kept.view;
        }
    }
    // For the cache a first use is none: else what is used once would stay as long as the rest.
    used_.fetch_or(kUsedForIdle, std::memory_order_relaxed);
    newest = views_[0].view;
    return nullptr;
}

void KeptViews::keep(std::shared_ptr<const PointView> view, uint64_t layout) {
    Kept dropped;  // Freed after the lock.
    {
        MutexLock lock(mutex_);
        if (views_[0].layout == layout) {
            dropped = std::exchange(views_[1], std::move(views_[0]));
        } else {
            dropped = std::exchange(views_[1], {});
        }
        views_[0] = {std::move(view), layout};
    }
    if (open_segments_ != nullptr) {
        open_segments_->add(*this);
    }
}

void KeptViews::drop_idle() {
    const uint8_t used =
        used_.fetch_and(static_cast<uint8_t>(~kUsedForIdle), std::memory_order_relaxed);
    if ((used & kUsedForIdle) != 0) {
        return;
    }
    std::array<Kept, 2> dropped;  // Freed after the lock.
    MutexLock lock(mutex_);
    dropped.swap(views_);
}

bool KeptViews::was_used() const {
    const uint8_t used =
        used_.fetch_and(static_cast<uint8_t>(~kUsedForCache), std::memory_order_relaxed);
    return (used & kUsedForCache) != 0;
}

int64_t KeptViews::release(Released& released) const {
    int64_t count = 0;
    MutexLock lock(mutex_);
    for (Kept& kept : views_) {
        if (kept.view != nullptr) {
            // Later ones take over what is open, so the two mostly keep the same.
            count = std::max(count, kept.view->num_open());
            released.push_back(std::move(kept.view));
        }
        kept = {};
    }
    return count;
}

}  // namespace thetis
