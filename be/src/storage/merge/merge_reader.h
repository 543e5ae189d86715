// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "storage/merge/merged_columns.h"
#include "storage/merge/row_merger.h"

namespace thetis {

/// A scan of overlapping sorted segments of one AGGREGATE or UNIQUE tablet: one row per key, or
/// (kAll) all rows in key order. Predicates on key columns are applied below the merge, the others
/// to its rows, late: columns are read for rows that passed. Not thread-safe.
class MergeReader {
public:
    static Result<std::unique_ptr<MergeReader>> open(
        const TabletSchema& schema,
        std::shared_ptr<const SegmentScan> scan,
        std::vector<MergeRun> runs,
        MergeKind kind
    );

    /// The next batch with at least one row; false at the end.
    Result<bool> next(Batch& batch);

    const ScanStatistics& statistics();

    /// Use open().
    MergeReader(std::shared_ptr<const SegmentScan> scan, const std::vector<MergeRun>& runs)
        : scan_(std::move(scan)), columns_(*scan_, runs) {}

private:
    struct Filter {
        std::unique_ptr<PredicateEvaluator> evaluator;
        size_t column = 0;
    };

    Result<size_t> column_of(const TabletSchema& schema, const ScanColumn& column);
    Result<bool> apply_filters(uint32_t num_rows, Selection& selection);

    const std::shared_ptr<const SegmentScan> scan_;
    std::unique_ptr<RowMerger> merger_;
    MergedColumns columns_;
    std::vector<int32_t> column_ids_;
    std::vector<size_t> outputs_;
    std::vector<Filter> filters_;  // Above the merge.
    MergedRows rows_;
    uint32_t next_row_ = 0;  // Of the stretch.
    int64_t rows_filtered_ = 0;
    int64_t rows_output_ = 0;
    ScanStatistics statistics_;
};

/// Whether the column is one of the schema's key columns.
bool is_key_column(const TabletSchema& schema, int32_t unique_id);

}  // namespace thetis
