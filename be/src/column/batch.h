// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "column/column.h"

namespace thetis {

inline constexpr uint32_t kMaxBatchRows = 4096;

/// Ascending row positions that passed the filters so far.
using Selection = std::vector<uint16_t>;
using SelectionPtr = std::shared_ptr<const Selection>;

/// Columns of equal length passed between operators: at most kMaxBatchRows rows and one selection.
/// A value; columns are shared.
struct Batch {
    uint32_t num_rows = 0;  ///< Length of every column.
    std::vector<ColumnPtr> columns;
    SelectionPtr selection;  ///< Null: all rows.

    uint32_t num_selected() const {
        return selection == nullptr ? num_rows : static_cast<uint32_t>(selection->size());
    }

    bool empty() const { return num_selected() == 0; }

    uint32_t row_at(uint32_t i) const { return selection == nullptr ? i : (*selection)[i]; }

    /// The selected rows only, without a selection. Constant and dictionary columns keep their
    /// form.
    Batch compact() const;

    size_t memory_bytes() const;
};

/// Rows `positions` of `column`, in that order (repeats allowed). Dictionary and constant columns
/// keep their form.
ColumnPtr gather(const ColumnPtr& column, const uint32_t* positions, uint32_t num_rows);
ColumnPtr gather(const ColumnPtr& column, const uint16_t* positions, uint32_t num_rows);
/// Like gather, but a position of kNullPosition gives NULL (outer joins).
inline constexpr uint32_t kNullPosition = UINT32_MAX;
ColumnPtr gather_or_null(const ColumnPtr& column, const uint32_t* positions, uint32_t num_rows);
/// Rows [begin, begin + num_rows).
ColumnPtr slice(const ColumnPtr& column, uint32_t begin, uint32_t num_rows);
/// One column after another; equal types. Flat (dictionary when all share one dictionary).
ColumnPtr concatenate(const std::vector<ColumnPtr>& columns);

}  // namespace thetis
