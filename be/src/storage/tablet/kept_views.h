// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include "base/thread/mutex.h"
#include "storage/rowset/segment_cache.h"

namespace thetis {

class PointView;

/// The views that a tablet keeps for key look-ups: those of the last two versions asked for. They
/// keep segments open, so the segment cache may take them; who looks up in one goes on.
/// Thread-safe.
class KeptViews final : private SegmentHolder {
public:
    /// `open_segments` may be null: then views stay.
    explicit KeptViews(std::shared_ptr<SegmentCache> open_segments);
    ~KeptViews();

    /// Null when there is none of this version and layout, a number that grows when the rowsets of
    /// a version are others; then `newest` is set to the newest of any, which may be null.
    std::shared_ptr<const PointView> find(
        int64_t version, uint64_t layout, std::shared_ptr<const PointView>& newest
    ) const;
    void keep(std::shared_ptr<const PointView> view, uint64_t layout);
    /// Forgets them if none was asked for since the last call.
    void drop_idle();

private:
    struct Kept {
        std::shared_ptr<const PointView> view;
        uint64_t layout = 0;
    };

    bool was_used() const override;
    int64_t release(Released& released) const override;

    const std::shared_ptr<SegmentCache> open_segments_;
    // Who wants to know whether views were used clears a bit of its own. Hints, so relaxed.
    mutable std::atomic<uint8_t> used_{0};
    mutable Mutex mutex_;  // Guards views_; innermost.
    mutable std::array<Kept, 2> views_ GUARDED_BY(mutex_);
};

}  // namespace thetis
