// SPDX-License-Identifier: Apache-2.0
#include "storage/tablet/tablet_reader.h"

#include "storage/merge/key_ranges.h"
#include "storage/merge/merge_reader.h"
#include "storage/rowset/rowset_sources.h"
#include "storage/segment/delete_pruning.h"
#include "storage/segment/segment_iterator.h"
#include "storage/tablet/scan_columns.h"
#include "storage/tablet/tablet.h"

namespace thetis {

namespace {

/// Whether rows of one key may stand in several segments and are to come out as one.
bool needs_merge(const TabletSchema& schema, const ReadOptions& options) {
    return schema.keys_model() != KeysModel::kDuplicate && !schema.is_merge_on_write() &&
           !options.skip_merge;
}

void note_corruption(const Tablet& tablet, const Status& status) {
    if (status.code() == ErrorCode::kCorruption) {
        tablet.note_damage(status);
    }
}

/// Whether the predicate's column can be judged by what the segment's indexes hold.
bool has_index(const SegmentSource& source, const SegmentScan& scan, const ScanColumn& column) {
    const Segment& segment = *source.segment;
    const bool is_filled_in = source.version.has_value() && scan.version_id == column.unique_id;
    return !is_filled_in && segment.has_column(column.unique_id) &&
           segment.column_type(column.unique_id).physical() == column.type.physical();
}

}  // namespace

SplitReader::SplitReader(
    std::shared_ptr<const Tablet> tablet, std::unique_ptr<SegmentIterator> rows
)
    : tablet_(std::move(tablet)), rows_(std::move(rows)) {}

SplitReader::SplitReader(std::shared_ptr<const Tablet> tablet, std::unique_ptr<MergeReader> merged)
    : tablet_(std::move(tablet)), merged_(std::move(merged)) {}

SplitReader::~SplitReader() = default;

Result<bool> SplitReader::next(Batch& batch) {
    auto more = rows_ != nullptr     ? rows_->next(batch)
                : merged_ != nullptr ? merged_->next(batch)
                                     : Result<bool>(false);
    if (!more.ok()) {
        note_corruption(*tablet_, more.status());
    }
    return more;
}

const ScanStatistics& SplitReader::statistics() const {
    if (rows_ != nullptr) {
        return rows_->statistics();
    }
    return merged_ != nullptr ? merged_->statistics() : nothing_;
}

Result<std::shared_ptr<const TabletReader>> TabletReader::open(
    std::shared_ptr<const Tablet> tablet, int64_t version, ReadOptions options
) {
    RETURN_IF_ERROR(tablet->check_readable());
    auto reader = std::make_shared<TabletReader>();
    ASSIGN_OR_RETURN(reader->snapshot_, tablet->snapshot(version));
    reader->schema_ = options.schema != nullptr ? options.schema : tablet->schema();
    RETURN_IF_ERROR(reader->prepare(options).with_context("Tablet {}", tablet->id()));
    const Status planned = reader->plan(options).with_context("Tablet {}", tablet->id());
    note_corruption(*tablet, planned);
    RETURN_IF_ERROR(planned);
    reader->tablet_ = std::move(tablet);
    return std::shared_ptr<const TabletReader>(std::move(reader));
}

Status TabletReader::prepare(const ReadOptions& options) {
    auto scan = std::make_shared<SegmentScan>();
    for (const int32_t unique_id : options.column_unique_ids) {
        ASSIGN_OR_RETURN(auto column, find_scan_column(*schema_, unique_id));
        output_types_.push_back(column.type);
        scan->output.push_back(std::move(column));
    }
    for (const ColumnPredicate& predicate : options.predicates) {
        ASSIGN_OR_RETURN(auto column, find_scan_column(*schema_, predicate.column_unique_id));
        RETURN_IF_ERROR(PredicateEvaluator::create(predicate, column.type).status());
        scan->predicates.push_back(predicate);
        scan->predicate_columns.push_back(std::move(column));
    }
    const bool has_deletes = std::any_of(
        snapshot_->rowsets.begin(),
        snapshot_->rowsets.end(),
        [](const RowsetPtr& rowset) { return rowset->meta().is_delete(); }
    );
    if (options.runtime_predicates != nullptr || has_deletes) {
        for (const SchemaColumn& column : schema_->columns()) {
            scan->other_columns.push_back(scan_column(column));
        }
    }
    scan->runtime_predicates = options.runtime_predicates;
    scan->version_id = schema_->version_id();
    scan->batch_rows = std::clamp<uint32_t>(options.batch_rows, 1, kMaxBatchRows);
    scan->use_zone_maps = options.use_zone_maps;
    scan->use_bloom_filters = options.use_bloom_filters;
    scan->use_dictionary_predicates = options.use_dictionary_predicates;
    scan->use_late_materialization = options.use_late_materialization;
    scan->use_page_cache = options.use_page_cache;
    scan_ = std::move(scan);
    return {};
}

Status TabletReader::plan(const ReadOptions& options) {
    const SourceOptions source_options{
        .use_delete_bitmaps = schema_->is_merge_on_write() && !options.skip_delete_bitmap,
        .use_deletes = !options.skip_delete_predicate
    };
    std::vector<SegmentSource> sources;
    int64_t num_rows = 0;
    bool is_exact = true;
    for (size_t i = 0; i < snapshot_->rowsets.size(); ++i) {
        ASSIGN_OR_RETURN(auto found, segment_sources(*snapshot_, i, source_options));
        for (SegmentSource& source : found) {
            if (options.use_zone_maps && !source.deletes.empty()) {
                ASSIGN_OR_RETURN(const bool leaves, prune_deletes(source, schema_->version_id()));
                if (!leaves) {
                    statistics_.rows_in_range += source.segment->num_rows();
                    statistics_.rows_deleted += source.segment->num_rows();
                    statistics_.rows_delete_proven += source.segment->num_rows();
                    continue;
                }
            }
            num_rows += source.num_rows();
            is_exact &= source.deletes.empty();
            sources.push_back(std::move(source));
        }
    }
    const bool is_merge = needs_merge(*schema_, options) && sources.size() > 1;
    if (is_exact && !is_merge) {
        num_rows_ = num_rows;
    }
    // Only predicates on keys may leave rows out below a merge: others speak of merged rows.
    for (SegmentSource& source : sources) {
        if (options.use_zone_maps) {
            ASSIGN_OR_RETURN(const bool pruned, is_pruned(source, is_merge));
            if (pruned) {
                continue;
            }
        }
        ASSIGN_OR_RETURN(const RowRange rows, find_rows(source, options.use_short_key));
        if (rows.begin == rows.end) {
            continue;
        }
        if (is_merge) {
            runs_.push_back({std::move(source), rows});
        } else {
            plan_rows(source, rows, std::max<uint32_t>(options.split_rows, kMaxBatchRows));
        }
    }
    return is_merge ? plan_merge(std::max<uint32_t>(options.split_rows, kMaxBatchRows)) : Status();
}

Result<bool> TabletReader::is_pruned(const SegmentSource& source, bool keys_only) {
    for (size_t i = 0; i < scan_->predicates.size(); ++i) {
        const ScanColumn& column = scan_->predicate_columns[i];
        if (!has_index(source, *scan_, column) ||
            (keys_only && !is_key_column(*schema_, column.unique_id))) {
            continue;
        }
        ASSIGN_OR_RETURN(
            const auto evaluator, PredicateEvaluator::create(scan_->predicates[i], column.type)
        );
        ASSIGN_OR_RETURN(const ZoneMap* const zone, source.segment->zone_map(column.unique_id));
        if (!evaluator->may_match(*zone)) {
            statistics_.segments_pruned += 1;
            statistics_.rows_in_range += source.segment->num_rows();
            statistics_.rows_pruned_zone_map += source.segment->num_rows();
            return true;
        }
    }
    return false;
}

Result<RowRange> TabletReader::find_rows(const SegmentSource& source, bool use_short_key) {
    const RowRange all{0, source.segment->num_rows()};
    const auto& keys = source.segment->short_key_columns();
    const bool is_of_use =
        use_short_key && !keys.empty() &&
        std::any_of(
            scan_->predicate_columns.begin(),
            scan_->predicate_columns.end(),
            [&](const ScanColumn& column) {
                return column.unique_id == keys.front() && has_index(source, *scan_, column);
            }
        );
    if (!is_of_use) {
        return all;
    }
    ASSIGN_OR_RETURN(const auto index, source.segment->short_key_index());
    const RowRange rows = index == nullptr ? all : index->find_rows(keys, scan_->predicates);
    const int64_t pruned = all.end - (rows.end - rows.begin);
    statistics_.rows_in_range += pruned;
    statistics_.rows_pruned_short_key += pruned;
    return rows;
}

/// Splits end at multiples of their size, so that they end with pages.
void TabletReader::plan_rows(const SegmentSource& source, RowRange rows, uint32_t split_rows) {
    for (uint32_t row = rows.begin; row < rows.end;) {
        const uint64_t aligned = uint64_t{row} - row % split_rows + split_rows;
        const auto end = static_cast<uint32_t>(std::min<uint64_t>(rows.end, aligned));
        splits_.push_back({.source = source, .first_row = row, .num_rows = end - row});
        row = end;
    }
}

Status TabletReader::plan_merge(uint32_t split_rows) {
    if (runs_.empty()) {
        return {};
    }
    if (runs_.size() == 1) {
        plan_rows(runs_.front().source, runs_.front().rows, split_rows);
        return {};
    }
    uint64_t num_rows = 0;
    for (const MergeRun& run : runs_) {
        num_rows += run.rows.end - run.rows.begin;
    }
    ASSIGN_OR_RETURN(auto bounds, find_key_bounds(runs_, num_rows / split_rows + 1));
    splits_.resize(bounds.size() + 1);
    for (size_t i = 0; i < bounds.size(); ++i) {
        splits_[i].high = bounds[i];
        splits_[i + 1].low = std::move(bounds[i]);
    }
    return {};
}

/// The rows of the split's range of keys; runs without any are left out.
Result<std::vector<MergeRun>> TabletReader::runs_of(const ScanSplit& split) const {
    std::vector<MergeRun> runs;
    for (const MergeRun& run : runs_) {
        RowRange rows = run.rows;
        if (!split.low.empty()) {
            ASSIGN_OR_RETURN(const uint32_t first, find_first_row(run.source, split.low));
            rows.begin = std::max(rows.begin, first);
        }
        if (!split.high.empty()) {
            ASSIGN_OR_RETURN(const uint32_t end, find_first_row(run.source, split.high));
            rows.end = std::min(rows.end, end);
        }
        if (rows.begin < rows.end) {
            runs.push_back({run.source, rows});
        }
    }
    return runs;
}

Result<std::unique_ptr<SplitReader>> TabletReader::read(const ScanSplit& split) const {
    auto reader = open_split(split);
    if (!reader.ok()) {
        note_corruption(*tablet_, reader.status());
    }
    return reader;
}

Result<std::unique_ptr<SplitReader>> TabletReader::open_split(const ScanSplit& split) const {
    if (split.source.segment != nullptr) {
        ASSIGN_OR_RETURN(
            auto rows,
            SegmentIterator::open(
                scan_, split.source, {split.first_row, split.first_row + split.num_rows}
            )
        );
        return std::make_unique<SplitReader>(tablet_, std::move(rows));
    }
    ASSIGN_OR_RETURN(auto runs, runs_of(split));
    if (runs.empty()) {
        return std::make_unique<SplitReader>(tablet_, std::unique_ptr<SegmentIterator>());
    }
    if (runs.size() == 1) {
        // No other segment has keys of this range: its rows are what a merge would make of them.
        const RowRange rows = runs.front().rows;
        ASSIGN_OR_RETURN(
            auto iterator, SegmentIterator::open(scan_, std::move(runs.front().source), rows)
        );
        return std::make_unique<SplitReader>(tablet_, std::move(iterator));
    }
    const MergeKind kind =
        schema_->keys_model() == KeysModel::kAggregate ? MergeKind::kAggregate : MergeKind::kLatest;
    ASSIGN_OR_RETURN(auto merged, MergeReader::open(*schema_, scan_, std::move(runs), kind));
    return std::make_unique<SplitReader>(tablet_, std::move(merged));
}

}  // namespace thetis
