// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/status.h"
#include "column/batch.h"

namespace thetis {

/// How an AGGREGATE table joins the values of rows with one key; later rows come after earlier
/// ones.
enum class ValueFold : uint8_t { kReplace, kReplaceIfNotNull, kSum, kMin, kMax };

/// Of a column's `aggregation`; empty (keys) is kReplace. not_supported names others.
Result<ValueFold> parse_fold(std::string_view aggregation);

/// Positions [begin, end) in a list of rows.
struct RowGroup {
    uint32_t begin = 0;
    uint32_t end = 0;
};

/// One row per group: what `fold` makes of the values at positions[group.begin..group.end) of
/// `column` (any form). NULLs count only where nothing else is. Sums wrap around.
ColumnPtr fold_groups(
    ValueFold fold,
    const ColumnPtr& column,
    std::span<const uint32_t> positions,
    std::span<const RowGroup> groups
);

}  // namespace thetis
