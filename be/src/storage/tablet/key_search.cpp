// SPDX-License-Identifier: Apache-2.0
#include "storage/tablet/key_search.h"

#include <algorithm>

namespace thetis {

std::vector<RowsetPtr> newest_first(std::vector<RowsetPtr> rowsets) {
    std::sort(rowsets.begin(), rowsets.end(), [](const RowsetPtr& left, const RowsetPtr& right) {
        return left->end_version() > right->end_version();
    });
    return rowsets;
}

namespace {

/// Segments without bounds may hold any key.
bool may_overlap(const SegmentFile& file, std::string_view min_key, std::string_view max_key) {
    return file.num_rows > 0 &&
           (file.max_key.empty() || (file.min_key <= max_key && file.max_key >= min_key));
}

}  // namespace

Status KeySearch::add(const RowsetPtr& rowset, size_t position, int64_t version) {
    ASSIGN_OR_RETURN(const auto segments, rowset->segments());
    const uint32_t segment_id = rowset->meta().segments[position].id;
    ASSIGN_OR_RETURN(auto keys, PrimaryKeyReader::open(segments[position]));
    places_.push_back(
        {rowset,
         segment_id,
         segments[position],
         std::move(keys),
         rowset->delete_bitmap().at(segment_id, version)}
    );
    return {};
}

Result<KeySearch> KeySearch::open(
    std::span<const RowsetPtr> rowsets,
    int64_t version,
    std::string_view min_key,
    std::string_view max_key
) {
    KeySearch search;
    for (const RowsetPtr& rowset : newest_first({rowsets.begin(), rowsets.end()})) {
        const std::vector<SegmentFile>& segments = rowset->meta().segments;
        for (size_t i = segments.size(); i-- > 0;) {
            if (may_overlap(segments[i], min_key, max_key)) {
                RETURN_IF_ERROR(search.add(rowset, i, version));
            }
        }
    }
    return search;
}

Result<KeySearch> KeySearch::open_before(const RowsetPtr& rowset, uint32_t segment_id) {
    KeySearch search;
    const std::vector<SegmentFile>& segments = rowset->meta().segments;
    const auto own = std::find_if(segments.begin(), segments.end(), [&](const SegmentFile& file) {
        return file.id == segment_id;
    });
    for (auto i = static_cast<size_t>(own - segments.begin()); i-- > 0;) {
        if (may_overlap(segments[i], own->min_key, own->max_key)) {
            RETURN_IF_ERROR(search.add(rowset, i, -1));
        }
    }
    return search;
}

}  // namespace thetis
