// SPDX-License-Identifier: Apache-2.0
#include "storage/merge/merge_reader.h"

#include <algorithm>

namespace thetis {

namespace {

/// Rows merged at once: enough that each of many runs gives stretches worth decoding.
constexpr uint32_t kStretchRows = 4 * kMaxBatchRows;

}  // namespace

bool is_key_column(const TabletSchema& schema, int32_t unique_id) {
    const auto position = schema.find_column(unique_id);
    return position.has_value() && schema.columns()[*position].is_key;
}

Result<std::unique_ptr<MergeReader>> MergeReader::open(
    const TabletSchema& schema,
    std::shared_ptr<const SegmentScan> scan,
    std::vector<MergeRun> runs,
    MergeKind kind
) {
    auto reader = std::make_unique<MergeReader>(scan, runs);
    SegmentScan below(*scan);
    below.predicates.clear();
    below.predicate_columns.clear();
    for (size_t i = 0; i < scan->predicates.size(); ++i) {
        const ScanColumn& column = scan->predicate_columns[i];
        if (is_key_column(schema, column.unique_id)) {
            below.predicates.push_back(scan->predicates[i]);
            below.predicate_columns.push_back(column);
            continue;
        }
        Filter filter;
        ASSIGN_OR_RETURN(
            filter.evaluator, PredicateEvaluator::create(scan->predicates[i], column.type)
        );
        ASSIGN_OR_RETURN(filter.column, reader->column_of(schema, column));
        reader->filters_.push_back(std::move(filter));
    }
    for (const ScanColumn& column : scan->output) {
        ASSIGN_OR_RETURN(const size_t number, reader->column_of(schema, column));
        reader->outputs_.push_back(number);
    }
    ASSIGN_OR_RETURN(reader->merger_, RowMerger::open(schema, below, std::move(runs), kind));
    return reader;
}

Result<size_t> MergeReader::column_of(const TabletSchema& schema, const ScanColumn& column) {
    const auto found = std::find(column_ids_.begin(), column_ids_.end(), column.unique_id);
    if (found != column_ids_.end()) {
        return static_cast<size_t>(found - column_ids_.begin());
    }
    const auto position = schema.find_column(column.unique_id);
    ASSIGN_OR_RETURN(
        const size_t number,
        columns_.add(
            column, position.has_value() ? schema.columns()[*position].aggregation : std::string()
        )
    );
    column_ids_.push_back(column.unique_id);
    return number;
}

/// Whether all rows passed; else `selection` has those that did.
Result<bool> MergeReader::apply_filters(uint32_t num_rows, Selection& selection) {
    bool is_all = true;
    for (Filter& filter : filters_) {
        if (!is_all && selection.empty()) {
            break;
        }
        if (is_all || !scan_->use_late_materialization) {
            ASSIGN_OR_RETURN(ColumnPtr column, columns_.read(filter.column, next_row_, num_rows));
            filter.evaluator->filter(column, is_all, selection);
        } else {
            ASSIGN_OR_RETURN(ColumnPtr column, columns_.read(filter.column, next_row_, selection));
            Selection passed;
            filter.evaluator->filter(column, true, passed);
            for (uint16_t& position : passed) {
                position = selection[position];
            }
            selection.swap(passed);
        }
        is_all = false;
    }
    return is_all || selection.size() == num_rows;
}

Result<bool> MergeReader::next(Batch& batch) {
    for (;;) {
        if (next_row_ == rows_.num_groups()) {
            next_row_ = 0;
            ASSIGN_OR_RETURN(const bool more, merger_->next(kStretchRows, rows_));
            if (!more) {
                rows_.clear();
                return false;
            }
            columns_.start(rows_);
        }
        const uint32_t num_rows = std::min(scan_->batch_rows, rows_.num_groups() - next_row_);
        Selection selection;
        ASSIGN_OR_RETURN(const bool is_all, apply_filters(num_rows, selection));
        const uint32_t first = next_row_;
        const auto num_passed = is_all ? num_rows : static_cast<uint32_t>(selection.size());
        rows_filtered_ += num_rows - num_passed;
        rows_output_ += num_passed;
        batch = {};
        batch.num_rows = num_passed;
        for (size_t i = 0; i < outputs_.size() && num_passed > 0; ++i) {
            ASSIGN_OR_RETURN(
                ColumnPtr column,
                is_all ? columns_.read(outputs_[i], first, num_rows)
                       : columns_.read(outputs_[i], first, selection)
            );
            batch.columns.push_back(std::move(column));
        }
        next_row_ += num_rows;
        if (num_passed > 0) {
            return true;
        }
    }
}

const ScanStatistics& MergeReader::statistics() {
    statistics_ = merger_->statistics();
    statistics_.rows_filtered += rows_filtered_;
    statistics_.rows_output = rows_output_;
    const PageReadCounts counts = columns_.counts();
    statistics_.pages_read += counts.pages;
    statistics_.pages_from_disk += counts.pages_from_disk;
    statistics_.bytes_from_disk += counts.bytes_from_disk;
    return statistics_;
}

}  // namespace thetis
