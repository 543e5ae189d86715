// SPDX-License-Identifier: Apache-2.0
#include "storage/merge/key_ranges.h"

#include <algorithm>

#include "storage/segment/column_reader.h"

namespace thetis {

namespace {

/// Entries looked at for the bounds of one tablet; more would not make ranges more even.
constexpr size_t kMaxSamples = 4096;

}  // namespace

Result<std::vector<std::string>> find_key_bounds(
    std::span<const MergeRun> runs, size_t num_ranges
) {
    std::vector<std::string> bounds;
    uint64_t num_rows = 0;
    for (const MergeRun& run : runs) {
        num_rows += run.rows.end - run.rows.begin;
        if (run.source.segment->short_key_columns() !=
            runs.front().source.segment->short_key_columns()) {
            return bounds;
        }
    }
    if (num_ranges < 2) {
        return bounds;
    }
    // One sample stands for `step` entries of its run, or all rows of a small one.
    const uint32_t step = static_cast<uint32_t>(num_rows / kRowsPerShortKey / kMaxSamples) + 1;
    std::vector<std::pair<std::string_view, uint32_t>> samples;
    std::vector<std::shared_ptr<const ShortKeyIndex>> indexes;
    for (const MergeRun& run : runs) {
        ASSIGN_OR_RETURN(auto index, run.source.segment->short_key_index());
        if (index == nullptr) {
            return bounds;
        }
        for (uint32_t row = run.rows.begin / kRowsPerShortKey * kRowsPerShortKey;
             row < run.rows.end;
             row += step * kRowsPerShortKey) {
            samples.emplace_back(
                index->entry(row / kRowsPerShortKey),
                std::min(run.rows.end - row, step * kRowsPerShortKey)
            );
        }
        indexes.push_back(std::move(index));
    }
    std::sort(samples.begin(), samples.end());
    uint64_t rows_before = 0;
    for (const auto& [key, weight] : samples) {
        // The n-th bound stands where n / num_ranges of the rows are below.
        const bool is_due = rows_before * num_ranges >= num_rows * (bounds.size() + 1);
        if (is_due && (bounds.empty() || bounds.back() < key)) {
            bounds.emplace_back(key);
        }
        rows_before += weight;
    }
    return bounds;
}

Result<uint32_t> find_first_row(const SegmentSource& source, const std::string& bound) {
    const Segment& segment = *source.segment;
    ASSIGN_OR_RETURN(const auto index, segment.short_key_index());
    const uint32_t entry = index->first_entry_at_least(bound);
    if (entry == 0) {
        return 0U;
    }
    const uint32_t first = (entry - 1) * kRowsPerShortKey;
    const uint32_t num_rows = std::min(kRowsPerShortKey, segment.num_rows() - first);
    std::vector<ColumnPtr> keys;
    for (const int32_t unique_id : segment.short_key_columns()) {
        const ScanColumn column{.unique_id = unique_id, .type = segment.column_type(unique_id)};
        ASSIGN_OR_RETURN(auto reader, ColumnReader::open(source, column, std::nullopt));
        ASSIGN_OR_RETURN(ColumnPtr values, reader->read(first, num_rows));
        keys.push_back(std::move(values));
    }
    const ColumnPtr short_keys = encode_short_keys(keys);
    const auto* values = short_keys->values<StringRef>();
    const StringRef wanted(bound.data(), static_cast<uint32_t>(bound.size()));
    return first +
           static_cast<uint32_t>(std::lower_bound(values, values + num_rows, wanted) - values);
}

}  // namespace thetis
