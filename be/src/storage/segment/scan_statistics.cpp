// SPDX-License-Identifier: Apache-2.0
#include "storage/segment/scan_statistics.h"

namespace thetis {

void ScanStatistics::add(const ScanStatistics& other) {
    rows_in_range += other.rows_in_range;
    rows_pruned_short_key += other.rows_pruned_short_key;
    rows_pruned_zone_map += other.rows_pruned_zone_map;
    rows_pruned_bloom_filter += other.rows_pruned_bloom_filter;
    rows_deleted += other.rows_deleted;
    rows_delete_proven += other.rows_delete_proven;
    rows_filtered += other.rows_filtered;
    rows_merged += other.rows_merged;
    rows_output += other.rows_output;
    rows_proven += other.rows_proven;
    rows_by_dictionary += other.rows_by_dictionary;
    rows_read_late += other.rows_read_late;
    segments_pruned += other.segments_pruned;
    pages_read += other.pages_read;
    pages_from_disk += other.pages_from_disk;
    bytes_from_disk += other.bytes_from_disk;
}

}  // namespace thetis
