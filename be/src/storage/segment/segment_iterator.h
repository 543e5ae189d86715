// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "storage/predicate/predicate_evaluator.h"
#include "storage/segment/column_reader.h"
#include "storage/segment/scan_statistics.h"

namespace thetis {

/// A column as a scan thinks of it, whatever the segment has.
struct ScanColumn {
    int32_t unique_id = 0;
    DataType type{};
    ColumnPtr missing_value{
    };  ///< Flat, one row: for segments without the column; null pointer: NULL.
};

/// What a scan wants from every segment.
struct SegmentScan {
    std::vector<ScanColumn> output;
    std::vector<ColumnPredicate> predicates;
    std::vector<ScanColumn> predicate_columns;  ///< One per predicate.
    /// Any further column a runtime predicate may name.
    std::vector<ScanColumn> other_columns;
    std::shared_ptr<const RuntimePredicates> runtime_predicates;
    uint32_t batch_rows = kMaxBatchRows;
    bool use_zone_maps = true;
};

/// Reads a row range of one segment: zone maps drop pages, predicate columns are read first and the
/// others only for rows that passed. Not thread-safe.
class SegmentIterator {
public:
    /// `scan` is shared by all iterators of a scan.
    static Result<std::unique_ptr<SegmentIterator>> open(
        std::shared_ptr<const SegmentScan> scan,
        std::shared_ptr<const Segment> segment,
        RowRange rows
    );

    /// The next batch with at least one row; false at the end. Results of few rows are gathered
    /// over several windows.
    Result<bool> next(Batch& batch);

    const ScanStatistics& statistics();

    /// Use open().
    SegmentIterator(
        std::shared_ptr<const SegmentScan> scan, std::shared_ptr<const Segment> segment
    );

private:
    struct Filter {
        std::unique_ptr<PredicateEvaluator> evaluator;
        size_t reader = 0;  // Position in readers_.
    };

    Status add_predicate(const ColumnPredicate& predicate, const ScanColumn& column);
    Status add_runtime_predicates();
    Result<size_t> reader_of(const ScanColumn& column);
    void prune_pages(const PredicateEvaluator& evaluator, const ColumnPages& pages);
    bool next_window(RowRange& window);
    Result<bool> next_part(Batch& part);
    void join_parts(Batch& batch);
    Result<uint32_t> apply_filters(
        RowRange window, Selection& selection, std::vector<ColumnPtr>& read
    );
    Status fill(
        RowRange window,
        Selection& selection,
        uint32_t num_passed,
        std::vector<ColumnPtr>& read,
        Batch& batch
    );

    const std::shared_ptr<const SegmentScan> scan_;
    const std::shared_ptr<const Segment> segment_;
    std::vector<RowRange> ranges_;  // Still to read, ascending.
    size_t next_range_ = 0;
    std::vector<std::unique_ptr<ColumnReader>> readers_;
    std::vector<int32_t> reader_ids_;
    std::vector<size_t> output_readers_;
    std::vector<Filter> filters_;
    uint32_t runtime_generation_ = 0;
    std::vector<Batch> parts_;  // Small dense results that wait to become one batch.
    uint32_t part_rows_ = 0;
    std::optional<Batch> full_part_;  // Came after them and goes out by itself.
    ScanStatistics statistics_;
};

}  // namespace thetis
