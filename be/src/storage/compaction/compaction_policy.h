// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace thetis {

/// What the policy knows of a rowset.
struct CompactionInput {
    int64_t size_bytes = 0;
    int64_t num_segments = 0;
    bool is_overlapping = false;

    /// How many sorted runs a reader sees.
    int64_t score() const { return is_overlapping ? num_segments : 1; }
};

struct CompactionLimits {
    int64_t min_score = 5;                        ///< Fewer runs are not worth a rewrite.
    int64_t small_bytes = int64_t{1} << 20;       ///< Below this, rowsets count as equal.
    int64_t max_output_bytes = int64_t{1} << 30;  ///< Rewrites stop here.
};

/// Positions [begin, end) of rowsets to merge.
struct CompactionPick {
    size_t begin = 0;
    size_t end = 0;
};

/// Size-tiered choice among the rowsets of a tablet in version order: from the newest back, a
/// rowset joins while it is not larger than those gathered so far, so that a row is rewritten a
/// logarithmic number of times. Nothing when too few would join.
std::optional<CompactionPick> pick_compaction(
    std::span<const CompactionInput> rowsets, const CompactionLimits& limits
);

}  // namespace thetis
