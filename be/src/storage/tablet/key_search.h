// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "storage/rowset/rowset.h"
#include "storage/segment/primary_key_index.h"

namespace thetis {

/// Looks keys up in the segments of merge-on-write rowsets, newest first: by the bounds in the
/// metadata, then filter, then index. Segments that bounds refuse are not even opened. Keys come
/// without the sequence (make_key_encoder); ascending ones are found quickest. For one thread.
class KeySearch {
public:
    /// One segment that may hold keys.
    struct Place {
        RowsetPtr rowset;
        uint32_t segment_id = 0;
        std::shared_ptr<const Segment> segment;
        PrimaryKeyReader keys;
        RowBitmapPtr deleted;  ///< At the version of the search; null: none.
    };

    /// Only rows that are not deleted at `version` are found. Rowsets whose segments lie outside
    /// [min_key, max_key] are left out.
    static Result<KeySearch> open(
        std::span<const RowsetPtr> rowsets,
        int64_t version,
        std::string_view min_key,
        std::string_view max_key
    );

    /// Over the earlier segments of one rowset, whatever is deleted.
    static Result<KeySearch> open_before(const RowsetPtr& rowset, uint32_t segment_id);

    bool empty() const { return places_.empty(); }

    const std::vector<Place>& places() const { return places_; }

    /// The first place that has the key and where `is_live(place, row)` says so; its reader then
    /// stands on the row. -1: none.
    template <typename IsLive>
    Result<int> find(std::string_view key, const IsLive& is_live) {
        const uint64_t hash = SplitBlockFilter::hash(key);
        for (size_t i = 0; i < places_.size(); ++i) {
            PrimaryKeyReader& keys = places_[i].keys;
            if (!keys.may_contain(key, hash)) {
                continue;
            }
            ASSIGN_OR_RETURN(const bool is_there, keys.find(key));
            if (is_there && is_live(i, keys.row())) {
                return static_cast<int>(i);
            }
        }
        return -1;
    }

private:
    Status add(const RowsetPtr& rowset, size_t position, int64_t version);

    std::vector<Place> places_;
};

/// By the versions they hold, newest first.
std::vector<RowsetPtr> newest_first(std::vector<RowsetPtr> rowsets);

}  // namespace thetis
