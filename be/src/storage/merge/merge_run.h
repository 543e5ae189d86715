// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "storage/segment/segment_source.h"

namespace thetis {

/// Rows of one sorted segment that take part in a merge.
struct MergeRun {
    SegmentSource source{};
    RowRange rows{};
};

/// What becomes of rows with equal keys.
enum class MergeKind : uint8_t {
    kAll,        ///< DUPLICATE, and merge-on-write: every row, in key order.
    kLatest,     ///< UNIQUE: the row with the largest sequence, of these the one of the latest run.
    kAggregate,  ///< AGGREGATE: every row, in key order, groups of equal keys marked.
};

/// A stretch of merged rows: which row of which run comes at each place.
struct MergedRows {
    std::vector<uint32_t> runs;  ///< Positions in the merge's list of runs.
    std::vector<uint32_t> rows;  ///< Row numbers in the run's segment.
    /// kAggregate: where the groups begin in `rows`, then its size; within a group runs ascend. A
    /// group never straddles two stretches. Empty otherwise: each row is one of the output.
    std::vector<uint32_t> group_begins;

    uint32_t size() const { return static_cast<uint32_t>(rows.size()); }

    uint32_t num_groups() const {
        return group_begins.empty() ? size() : static_cast<uint32_t>(group_begins.size() - 1);
    }

    void clear() {
        runs.clear();
        rows.clear();
        group_begins.clear();
    }
};

}  // namespace thetis
