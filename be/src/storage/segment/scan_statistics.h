// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace thetis {

/// Counters of a scan, for profiles. Plain numbers: each reader has its own, callers add them up.
struct ScanStatistics {
    int64_t rows_in_range = 0;  ///< Rows asked for, before any pruning.
    int64_t rows_pruned_short_key = 0;
    int64_t rows_pruned_zone_map = 0;
    int64_t rows_filtered = 0;  ///< Read and refused by predicates.
    int64_t rows_output = 0;
    int64_t segments_pruned = 0;
    int64_t pages_read = 0;  ///< Taken from cache or disk.
    int64_t pages_from_disk = 0;
    int64_t bytes_from_disk = 0;

    void add(const ScanStatistics& other);
};

}  // namespace thetis
