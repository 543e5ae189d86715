// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace thetis {

struct VersionRange {
    int64_t start = 0;
    int64_t end = 0;
};

/// The fewest ranges that together cover [0-version] exactly, as positions in `ranges`, ascending
/// by version; of a range given twice the last; nothing when there are none.
std::optional<std::vector<size_t>> find_version_path(
    std::span<const VersionRange> ranges, int64_t version
);

/// The largest version that a path leads to; -1 when not even [0-x] is there.
int64_t max_contiguous_version(std::span<const VersionRange> ranges);

}  // namespace thetis
