// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "storage/predicate/predicate_evaluator.h"
#include "storage/segment/column_reader.h"
#include "storage/segment/deleted_rows.h"
#include "storage/segment/scan_statistics.h"
#include "storage/segment/segment_source.h"

namespace thetis {

/// What a scan wants from every segment.
struct SegmentScan {
    std::vector<ScanColumn> output;
    std::vector<ColumnPredicate> predicates;
    std::vector<ScanColumn> predicate_columns;  ///< One per predicate.
    /// Any further column a runtime predicate or a DELETE may name.
    std::vector<ScanColumn> other_columns;
    std::shared_ptr<const RuntimePredicates> runtime_predicates;
    /// The column that SegmentSource::version fills in.
    std::optional<int32_t> version_id;
    uint32_t batch_rows = kMaxBatchRows;
    bool use_zone_maps = true;
    bool use_bloom_filters = true;
    bool use_dictionary_predicates = true;  ///< Off: predicates see strings, not codes.
    bool use_late_materialization = true;   ///< Off: every column is read for whole windows.
    bool use_page_cache = true;
};

/// Reads a row range of one segment: zone maps and bloom filters drop pages, predicate columns are
/// read first and the others only for rows that passed. Not thread-safe.
class SegmentIterator {
public:
    /// `scan` is shared by all iterators of a scan.
    static Result<std::unique_ptr<SegmentIterator>> open(
        std::shared_ptr<const SegmentScan> scan, SegmentSource source, RowRange rows
    );

    static Result<std::unique_ptr<SegmentIterator>> open(
        std::shared_ptr<const SegmentScan> scan,
        std::shared_ptr<const Segment> segment,
        RowRange rows
    ) {
        return open(std::move(scan), SegmentSource{.segment = std::move(segment)}, rows);
    }

    /// The next batch with at least one row; false at the end. Results of few rows are gathered
    /// over several windows.
    Result<bool> next(Batch& batch);

    /// Also tells which row of the segment each row of the batch is; the batch has no selection.
    Result<bool> next(Batch& batch, std::vector<uint32_t>& row_numbers);

    const ScanStatistics& statistics();

    /// Use open().
    SegmentIterator(std::shared_ptr<const SegmentScan> scan, SegmentSource source);

private:
    struct Filter {
        std::unique_ptr<PredicateEvaluator> evaluator;
        size_t reader = 0;  // Position in readers_.
        /// By page: 1 where the zone map proves that every row passes; empty: nowhere.
        std::vector<uint8_t> is_proven;
    };

    struct Delete {
        DeleteFilterPtr filter;
        std::vector<size_t> readers;   // Of its columns.
        std::vector<RowRange> ranges;  // Where it may take rows, ascending.
        size_t next_range = 0;         // The first that does not end before the window.
    };

    Status add_predicate(const ColumnPredicate& predicate, const ScanColumn& column);
    Status add_runtime_predicates();
    Status add_delete(const DeleteFilterPtr& filter);
    Result<bool> narrow_delete(Delete& entry);
    Result<size_t> reader_of_deleting(int32_t unique_id);
    Result<size_t> reader_of(const ScanColumn& column);
    bool is_stored(const ScanColumn& column) const;
    template <typename MayMatch>
    int64_t prune_pages(const ColumnPages& pages, MayMatch may_match);
    Status prune_by_bloom_filter(const PredicateEvaluator& evaluator, const ColumnPages& pages);
    bool is_proven(const Filter& filter, RowRange window) const;
    bool next_window(RowRange& window);
    Result<bool> next_part(Batch& part, std::vector<uint32_t>* row_numbers);
    void join_parts(Batch& batch);
    Result<ColumnPtr> read_whole(size_t reader, RowRange window, std::vector<ColumnPtr>& read);
    Result<uint32_t> apply_filters(
        RowRange window, Selection& selection, std::vector<ColumnPtr>& read
    );
    Status filter_sparse(const Filter& filter, RowRange window, Selection& selection);
    Status apply_deletes(
        RowRange window, bool& is_all, Selection& selection, std::vector<ColumnPtr>& read
    );
    Status fill(
        RowRange window,
        Selection& selection,
        uint32_t num_passed,
        bool is_dense,
        std::vector<ColumnPtr>& read,
        Batch& batch
    );

    const std::shared_ptr<const SegmentScan> scan_;
    const SegmentSource source_;
    std::vector<RowRange> ranges_;  // Still to read, ascending.
    size_t next_range_ = 0;
    std::vector<std::unique_ptr<ColumnReader>> readers_;
    std::vector<int32_t> reader_ids_;
    std::vector<size_t> output_readers_;
    std::vector<Filter> filters_;
    DeletedRows deleted_;
    std::vector<Delete> deletes_;
    std::vector<uint8_t> taken_;
    uint32_t runtime_generation_ = 0;
    std::vector<Batch> parts_;  // Small dense results that wait to become one batch.
    uint32_t part_rows_ = 0;
    std::optional<Batch> full_part_;  // Came after them and goes out by itself.
    ScanStatistics statistics_;
};

}  // namespace thetis
