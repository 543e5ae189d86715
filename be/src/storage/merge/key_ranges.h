// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "storage/merge/merge_run.h"

namespace thetis {

/// Short keys that cut the runs into about `num_ranges` ranges of equally many rows, ascending;
/// rows of one key are always in one range. Empty when they cannot be cut: a run has no short-key
/// index, or one over other columns.
Result<std::vector<std::string>> find_key_bounds(std::span<const MergeRun> runs, size_t num_ranges);

/// The first row of the segment whose short key is at least `bound`; it has a short-key index.
Result<uint32_t> find_first_row(const SegmentSource& source, const std::string& bound);

}  // namespace thetis
