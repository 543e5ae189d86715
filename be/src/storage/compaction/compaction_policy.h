// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/status.h"

namespace thetis {

/// Cumulative: the young, small rowsets. Base: the old ones below the cumulative point, where
/// deleted rows go for good. Full: all there is, on demand.
enum class CompactionKind : uint8_t { kCumulative, kBase, kFull };

std::string_view to_string(CompactionKind kind);
/// Of `cumulative`, `base`, `full`.
Result<CompactionKind> parse_compaction_kind(std::string_view text);

/// What the policy knows of a rowset.
struct CompactionInput {
    int64_t start_version = 0;
    int64_t end_version = 0;
    int64_t num_rows = 0;
    int64_t size_bytes = 0;
    int64_t num_segments = 0;
    int64_t creation_time = 0;  ///< Seconds since 1970.
    bool is_overlapping = false;
    bool is_delete = false;  ///< Carries a condition instead of rows.

    /// How many sorted runs a reader sees.
    int64_t score() const { return is_overlapping ? num_segments : 1; }
};

struct CompactionLimits {
    int64_t min_score = 5;     ///< Cumulative: fewer runs are not worth a rewrite.
    int64_t max_score = 1000;  ///< Cumulative: most runs of one rewrite.
    /// Below this, rowsets count as equal: rewriting as much costs what a rewrite costs at all.
    int64_t small_bytes = int64_t{64} << 10;
    int64_t max_output_bytes = int64_t{1} << 30;  ///< Cumulative rewrites stop here.
    // When a rowset leaves the cumulative ones.
    double promotion_ratio = 0.05;
    int64_t promotion_min_bytes = int64_t{128} << 20;
    int64_t promotion_max_bytes = int64_t{1} << 30;
    int64_t promotion_versions = INT64_MAX;
    // Base.
    int64_t base_min_rowsets = 5;
    int64_t base_max_score = 20;
    double base_min_data_ratio = 0.3;
    int64_t base_max_age_seconds = 86'400;
    int64_t base_skipped_bytes = INT64_MAX;  ///< Leading rowsets larger than this stay as they are.
};

/// Positions [begin, end) of rowsets to merge, which may be none, and what the cumulative point is
/// afterwards.
struct CompactionPick {
    size_t begin = 0;
    size_t end = 0;
    int64_t cumulative_point = 0;
};

/// Where cumulative compaction begins in a tablet that has no point yet: after the base and what is
/// large enough to stay beside it. `rowsets` of all policies are contiguous, in version order.
int64_t first_cumulative_point(
    std::span<const CompactionInput> rowsets, const CompactionLimits& limits
);

/// Size-tiered choice from `point` on. A rowset that deletes by condition ends the choice: what is
/// before it is merged, then the point moves behind it, so that only base compaction ever meets
/// it. `is_forced`: everything that may be merged.
std::optional<CompactionPick> pick_cumulative(
    std::span<const CompactionInput> rowsets,
    int64_t point,
    const CompactionLimits& limits,
    bool is_forced
);

/// All below `point`, when there are enough of them or enough bytes beside the base, or when the
/// base is old.
std::optional<CompactionPick> pick_base(
    std::span<const CompactionInput> rowsets,
    int64_t point,
    const CompactionLimits& limits,
    int64_t now_seconds,
    bool is_forced
);

/// Everything, unless that is one sorted run already (`has_deleted_rows`: even then).
std::optional<CompactionPick> pick_full(
    std::span<const CompactionInput> rowsets, int64_t point, bool has_deleted_rows
);

}  // namespace thetis
