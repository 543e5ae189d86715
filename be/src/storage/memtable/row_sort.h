// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "column/column.h"

namespace thetis {

/// The order of rows by key columns (flat, `num_rows` each): ascending, nulls first, equal keys in
/// their present order. Sorts column by column: pairs of a normalised 64-bit key and the row, then
/// each run of equal keys by the next column. Empty when the rows are in order already.
std::vector<uint32_t> sort_rows(std::span<const ColumnPtr> keys, uint32_t num_rows);

}  // namespace thetis
