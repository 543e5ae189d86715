// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "column/sort_key.h"
#include "expr/expression.h"
#include "functions/aggregate_registry.h"

namespace thetis {

enum class WindowFunction : uint8_t {
    kRowNumber,
    kRank,
    kDenseRank,
    kPercentRank,
    kCumeDist,
    kNtile,
    kLag,
    kLead,
    kFirstValue,
    kLastValue,
    kNthValue,
    kAggregate,
};

/// The function of this name; an aggregate when it is none of the window's own.
WindowFunction window_function(std::string_view name);

/// What a window computes over its sorted input; immutable.
struct WindowSpec {
    struct Call {
        WindowFunction function = WindowFunction::kAggregate;
        AggregateFunctionPtr aggregate;  ///< kAggregate only.
        std::vector<ExpressionPtr> arguments;
        DataType result_type;
        bool by_rows =
            false;  ///< ROWS frame; otherwise RANGE: the bounds are the current row's peers.
        std::optional<int64_t>
            frame_start;  ///< Offset from the current row; absent: start of the partition.
        std::optional<int64_t> frame_end;  ///< Absent: end of the partition.
    };

    std::vector<ExpressionPtr> partition_keys;
    std::vector<ExpressionPtr> order_keys;
    std::vector<SortOrder> orders;
    std::vector<Call> calls;
    std::vector<DataType> input_types;
};

/// Whole partitions, one after another, and where they and their groups of peers (rows equal in the
/// order keys) begin. Both lists end with the number of rows.
struct WindowRows {
    uint32_t num_rows = 0;
    std::vector<uint32_t> partitions;
    std::vector<uint32_t> peers;
};

/// The column of one call over some whole partitions. `arguments` have rows.num_rows rows.
Result<ColumnPtr> compute_window(
    const WindowSpec::Call& call, const WindowRows& rows, const std::vector<ColumnPtr>& arguments
);

}  // namespace thetis
