// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/status.h"

namespace thetis {

class Tablet;

/// What a tablet's segments know of a column without reading its values: for planning, never exact.
struct ColumnSummary {
    int32_t unique_id = 0;
    /// Numbers, and dates and times by their number of days or microseconds; empty for text and
    /// where there is no value.
    std::optional<double> min{};
    std::optional<double> max{};
    /// An upper guess, from the span of whole numbers or the size of dictionaries; negative: none.
    int64_t num_distinct = -1;
};

/// Of the named columns that some segment has, at the newest complete version. Reads footers, and
/// dictionaries of text columns.
Result<std::vector<ColumnSummary>> summarize_columns(
    const Tablet& tablet, std::span<const int32_t> unique_ids
);

}  // namespace thetis
