// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace thetis {

/// Counters of a scan, for profiles. Plain numbers: each reader has its own, callers add them up.
struct ScanStatistics {
    int64_t rows_in_range = 0;  ///< Rows asked for, before any pruning.
    int64_t rows_pruned_short_key = 0;
    int64_t rows_pruned_zone_map = 0;
    int64_t rows_pruned_bloom_filter = 0;
    int64_t rows_deleted = 0;  ///< Taken by the delete bitmap or a DELETE.
    /// Rows a DELETE was not asked about one by one: by zone maps it takes all of them or none.
    int64_t rows_delete_proven = 0;
    int64_t rows_filtered = 0;  ///< Read and refused by predicates.
    int64_t rows_merged = 0;    ///< Went into another row of their key.
    int64_t rows_output = 0;
    int64_t rows_proven = 0;  ///< Passed a predicate by their page's zone map, without being read.
    int64_t rows_by_dictionary = 0;  ///< Tested by a predicate on dictionary codes.
    int64_t rows_read_late = 0;      ///< Of windows of which some columns were read only for these.
    int64_t segments_pruned = 0;
    int64_t pages_read = 0;  ///< Taken from cache or disk.
    int64_t pages_from_disk = 0;
    int64_t bytes_from_disk = 0;

    void add(const ScanStatistics& other);
};

}  // namespace thetis
