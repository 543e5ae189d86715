// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "storage/rowset/rowset.h"
#include "storage/segment/segment_source.h"

namespace thetis {

/// What of later versions a reader wants to see.
struct SourceOptions {
    bool use_delete_bitmaps = true;
    bool use_deletes = true;  ///< Conditions of DELETEs.
};

/// The segments of the snapshot's rowset at `position`, as readers of the snapshot's version see
/// them; those without rows are left out. Opens files.
Result<std::vector<SegmentSource>> segment_sources(
    const RowsetSnapshot& snapshot, size_t position, SourceOptions options = {}
);

}  // namespace thetis
