// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "column/column.h"

namespace thetis {

/// Where runs of rows with equal keys begin when rows are taken in `order` (empty: as they are);
/// ends with num_rows. `keys` are flat. As keys are encoded, NULLs are equal, -0.0 and 0.0 are, and
/// NaNs are.
std::vector<uint32_t> find_groups(
    std::span<const ColumnPtr> keys, std::span<const uint32_t> order, uint32_t num_rows
);

/// The last row of each group: the latest arrival.
std::vector<uint32_t> last_of_groups(
    std::span<const uint32_t> groups, std::span<const uint32_t> order
);

/// Of each group the row with the largest sequence (NULL is least), the later one of equals.
std::vector<uint32_t> largest_of_groups(
    std::span<const uint32_t> groups, std::span<const uint32_t> order, const Column& sequence
);

}  // namespace thetis
