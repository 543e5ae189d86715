// SPDX-License-Identifier: Apache-2.0
#include "storage/rowset/rowset_sources.h"

namespace thetis {

Result<std::vector<SegmentSource>> segment_sources(
    const RowsetSnapshot& snapshot, size_t position, SourceOptions options
) {
    const Rowset& rowset = *snapshot.rowsets[position];
    std::vector<SegmentSource> sources;
    if (rowset.meta().num_rows == 0) {
        return sources;
    }
    std::vector<DeleteFilterPtr> deletes;
    for (size_t i = position + 1; options.use_deletes && i < snapshot.rowsets.size(); ++i) {
        ASSIGN_OR_RETURN(DeleteFilterPtr filter, snapshot.rowsets[i]->delete_filter());
        if (filter != nullptr) {
            deletes.push_back(std::move(filter));
        }
    }
    std::optional<int64_t> version;
    if (rowset.start_version() == rowset.end_version()) {
        version = rowset.start_version();
    }
    ASSIGN_OR_RETURN(const auto segments, rowset.segments());
    for (size_t i = 0; i < segments.size(); ++i) {
        if (segments[i]->num_rows() == 0) {
            continue;
        }
        sources.push_back(
            {.segment = segments[i],
             .deleted = options.use_delete_bitmaps
                            ? snapshot.delete_bitmap(rowset, rowset.meta().segments[i].id)
                            : nullptr,
             .version = version,
             .deletes = deletes}
        );
    }
    return sources;
}

}  // namespace thetis
