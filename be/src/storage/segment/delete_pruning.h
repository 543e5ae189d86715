// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "storage/segment/segment_source.h"

namespace thetis {

/// Whether zone maps of the segment say something of `test`: it holds the column, as the type the
/// test is about. `version_id`: the column that SegmentSource::version fills in.
bool has_zone_maps(
    const SegmentSource& source, const PredicateEvaluator& test, std::optional<int32_t> version_id
);

/// Forgets the DELETEs that take no row of the segment, by its zone maps alone; false when one of
/// them takes every row. Corruption when its zone maps cannot be read.
Result<bool> prune_deletes(SegmentSource& source, std::optional<int32_t> version_id);

}  // namespace thetis
