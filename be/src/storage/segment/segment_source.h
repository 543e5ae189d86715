// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "storage/predicate/delete_filter.h"
#include "storage/segment/segment.h"

class Roaring;

namespace thetis {

/// A segment as the readers of one version see it. A value, cheap to copy.
struct SegmentSource {
    std::shared_ptr<const Segment> segment{};
    /// Rows that are gone (merge-on-write: replaced by later loads); null: none.
    std::shared_ptr<const Roaring> deleted{};
    /// What the version column holds in every row; absent: what is stored.
    std::optional<int64_t> version{};
    /// The DELETEs of later versions.
    std::vector<DeleteFilterPtr> deletes{};

    /// Rows besides those in `deleted`; DELETEs are not counted.
    uint32_t num_rows() const;
};

}  // namespace thetis
