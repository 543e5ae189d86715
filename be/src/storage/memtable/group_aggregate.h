// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/status.h"
#include "column/column.h"

namespace thetis {

/// How a value column of the AGGREGATE model joins the rows of one key.
enum class ValueAggregation : uint8_t { kReplace, kReplaceIfNotNull, kSum, kMin, kMax };

/// From a schema column's `aggregation`; an empty one replaces. not_supported names others.
Result<ValueAggregation> parse_value_aggregation(std::string_view name);

/// One value per group of rows, taken in `order` (empty: as they are; `groups` as of find_groups).
/// SUM, MIN and MAX leave NULLs out and are NULL when nothing else is there; sums wrap around at
/// their type's end, NaN is the largest value. REPLACE takes the last row, REPLACE_IF_NOT_NULL the
/// last that is not NULL. `column` is flat, for REPLACE of any form; strings of the result share
/// its bytes.
ColumnPtr aggregate_groups(
    const ColumnPtr& column,
    ValueAggregation aggregation,
    std::span<const uint32_t> groups,
    std::span<const uint32_t> order
);

}  // namespace thetis
