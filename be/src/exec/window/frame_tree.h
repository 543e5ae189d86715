// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "functions/aggregate_registry.h"

namespace thetis {

/// Aggregates over many overlapping ranges of rows: states of blocks of rows, of pairs of blocks,
/// of pairs of those and so on, so that a range costs the logarithm of its length. Needs no way to
/// take a row out of a state again. States are merged from left to right. Not thread-safe.
class FrameTree {
public:
    /// `arguments` have `num_rows` rows; both outlive the tree.
    FrameTree(
        const AggregateFunction& function,
        const std::vector<ColumnPtr>& arguments,
        uint32_t num_rows
    )
        : function_(function), arguments_(arguments), num_rows_(num_rows) {}

    Status build();

    /// Results over rows [begins[i], ends[i]), empty where begin >= end; count <= kMaxBatchRows.
    Result<ColumnPtr> results(const uint32_t* begins, const uint32_t* ends, uint32_t count) const;

private:
    static constexpr uint32_t kBlockRows = 16;

    class States;

    /// Rows or nodes on their way into states, in batches.
    struct Pending {
        std::vector<uint32_t> positions;
        std::vector<char*> states;
    };

    Status flush_rows(Pending& pending, Arena& arena) const;
    Status add_row(Pending& pending, uint32_t row, char* state, Arena& arena) const;
    Status merge_nodes(size_t level, const Pending& nodes, Arena& arena) const;

    const AggregateFunction& function_;
    const std::vector<ColumnPtr>& arguments_;
    const uint32_t num_rows_;
    std::vector<ColumnPtr> levels_;  // State i of level l: blocks [i << l, (i + 1) << l).
};

}  // namespace thetis
