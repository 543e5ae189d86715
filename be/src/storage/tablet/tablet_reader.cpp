// SPDX-License-Identifier: Apache-2.0
#include "storage/tablet/tablet_reader.h"

#include "storage/segment/segment_iterator.h"
#include "storage/tablet/scan_columns.h"
#include "storage/tablet/tablet.h"

namespace thetis {

SplitReader::SplitReader(std::unique_ptr<SegmentIterator> iterator)
    : iterator_(std::move(iterator)) {}

SplitReader::~SplitReader() = default;

Result<bool> SplitReader::next(Batch& batch) {
    return iterator_->next(batch);
}

const ScanStatistics& SplitReader::statistics() const {
    return iterator_->statistics();
}

Result<std::shared_ptr<const TabletReader>> TabletReader::open(
    std::shared_ptr<const Tablet> tablet, int64_t version, ReadOptions options
) {
    auto reader = std::make_shared<TabletReader>();
    ASSIGN_OR_RETURN(reader->snapshot_, tablet->snapshot(version));
    const TabletSchemaPtr schema = options.schema != nullptr ? options.schema : tablet->schema();
    RETURN_IF_ERROR(reader->prepare(*schema, options).with_context("Tablet {}", tablet->id()));
    RETURN_IF_ERROR(reader->plan(options).with_context("Tablet {}", tablet->id()));
    return std::shared_ptr<const TabletReader>(std::move(reader));
}

Status TabletReader::prepare(const TabletSchema& schema, const ReadOptions& options) {
    auto scan = std::make_shared<SegmentScan>();
    for (const int32_t unique_id : options.column_unique_ids) {
        ASSIGN_OR_RETURN(auto column, find_scan_column(schema, unique_id));
        output_types_.push_back(column.type);
        scan->output.push_back(std::move(column));
    }
    for (const ColumnPredicate& predicate : options.predicates) {
        ASSIGN_OR_RETURN(auto column, find_scan_column(schema, predicate.column_unique_id));
        RETURN_IF_ERROR(PredicateEvaluator::create(predicate, column.type).status());
        scan->predicates.push_back(predicate);
        scan->predicate_columns.push_back(std::move(column));
    }
    if (options.runtime_predicates != nullptr) {
        for (const SchemaColumn& column : schema.columns()) {
            scan->other_columns.push_back(scan_column(column));
        }
    }
    scan->runtime_predicates = options.runtime_predicates;
    scan->batch_rows = std::clamp<uint32_t>(options.batch_rows, 1, kMaxBatchRows);
    scan->use_zone_maps = options.use_zone_maps;
    scan_ = std::move(scan);
    return {};
}

Status TabletReader::plan(const ReadOptions& options) {
    for (const RowsetPtr& rowset : snapshot_->rowsets) {
        num_rows_ += rowset->meta().num_rows;
        if (rowset->meta().num_rows == 0) {
            continue;
        }
        ASSIGN_OR_RETURN(const auto segments, rowset->segments());
        for (const auto& segment : segments) {
            RETURN_IF_ERROR(plan_segment(segment, options));
        }
    }
    return {};
}

Status TabletReader::plan_segment(
    const std::shared_ptr<const Segment>& segment, const ReadOptions& options
) {
    if (segment->num_rows() == 0) {
        return {};
    }
    if (options.use_zone_maps) {
        for (size_t i = 0; i < scan_->predicates.size(); ++i) {
            const ScanColumn& column = scan_->predicate_columns[i];
            if (!segment->has_column(column.unique_id) ||
                segment->column_type(column.unique_id).physical() != column.type.physical()) {
                continue;
            }
            ASSIGN_OR_RETURN(
                const auto evaluator, PredicateEvaluator::create(scan_->predicates[i], column.type)
            );
            if (!evaluator->may_match(segment->zone_map(column.unique_id))) {
                statistics_.segments_pruned += 1;
                statistics_.rows_in_range += segment->num_rows();
                statistics_.rows_pruned_zone_map += segment->num_rows();
                return {};
            }
        }
    }
    RowRange rows{0, segment->num_rows()};
    if (options.use_short_key && !scan_->predicates.empty()) {
        const auto& keys = segment->short_key_columns();
        bool is_of_use = false;
        for (const ScanColumn& column : scan_->predicate_columns) {
            is_of_use |=
                !keys.empty() && column.unique_id == keys.front() &&
                segment->column_type(column.unique_id).physical() == column.type.physical();
        }
        if (is_of_use) {
            ASSIGN_OR_RETURN(const auto index, segment->short_key_index());
            rows = index == nullptr ? rows : index->find_rows(keys, scan_->predicates);
            const int64_t pruned = segment->num_rows() - (rows.end - rows.begin);
            statistics_.rows_in_range += pruned;
            statistics_.rows_pruned_short_key += pruned;
        }
    }
    // Splits end at multiples of their size, so that they end with pages.
    const uint32_t split_rows = std::max<uint32_t>(options.split_rows, kMaxBatchRows);
    for (uint32_t row = rows.begin; row < rows.end;) {
        const uint64_t aligned = uint64_t{row} - row % split_rows + split_rows;
        const auto end = static_cast<uint32_t>(std::min<uint64_t>(rows.end, aligned));
        splits_.push_back({segment, row, end - row});
        row = end;
    }
    return {};
}

Result<std::unique_ptr<SplitReader>> TabletReader::read(const ScanSplit& split) const {
    ASSIGN_OR_RETURN(
        auto iterator,
        SegmentIterator::open(
            scan_, split.segment, {split.first_row, split.first_row + split.num_rows}
        )
    );
    return std::make_unique<SplitReader>(std::move(iterator));
}

}  // namespace thetis
