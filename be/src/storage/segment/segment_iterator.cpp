// SPDX-License-Identifier: Apache-2.0
#include "storage/segment/segment_iterator.h"

namespace thetis {

namespace {

/// Below this share of passing rows a batch is made dense, and columns are read for those rows
/// only.
constexpr uint32_t kSparseFactor = 4;

}  // namespace

void ScanStatistics::add(const ScanStatistics& other) {
    rows_in_range += other.rows_in_range;
    rows_pruned_short_key += other.rows_pruned_short_key;
    rows_pruned_zone_map += other.rows_pruned_zone_map;
    rows_filtered += other.rows_filtered;
    rows_output += other.rows_output;
    segments_pruned += other.segments_pruned;
    pages_read += other.pages_read;
    pages_from_disk += other.pages_from_disk;
    bytes_from_disk += other.bytes_from_disk;
}

SegmentIterator::SegmentIterator(
    std::shared_ptr<const SegmentScan> scan, std::shared_ptr<const Segment> segment
)
    : scan_(std::move(scan)), segment_(std::move(segment)) {}

Result<std::unique_ptr<SegmentIterator>> SegmentIterator::open(
    std::shared_ptr<const SegmentScan> scan, std::shared_ptr<const Segment> segment, RowRange rows
) {
    if (rows.begin > rows.end || rows.end > segment->num_rows()) {
        return Status::error(
            ErrorCode::kInternal,
            "Rows {} to {} are not in {}",
            rows.begin,
            rows.end,
            segment->path()
        );
    }
    auto iterator = std::make_unique<SegmentIterator>(std::move(scan), std::move(segment));
    iterator->statistics_.rows_in_range = rows.end - rows.begin;
    if (rows.begin < rows.end) {
        iterator->ranges_.push_back(rows);
    }
    for (size_t i = 0; i < iterator->scan_->predicates.size(); ++i) {
        RETURN_IF_ERROR(iterator->add_predicate(
            iterator->scan_->predicates[i], iterator->scan_->predicate_columns[i]
        ));
    }
    RETURN_IF_ERROR(iterator->add_runtime_predicates());
    if (iterator->ranges_.empty()) {
        return iterator;
    }
    for (const ScanColumn& column : iterator->scan_->output) {
        ASSIGN_OR_RETURN(const size_t reader, iterator->reader_of(column));
        iterator->output_readers_.push_back(reader);
    }
    return iterator;
}

Result<size_t> SegmentIterator::reader_of(const ScanColumn& column) {
    const auto found = std::find(reader_ids_.begin(), reader_ids_.end(), column.unique_id);
    if (found != reader_ids_.end()) {
        return static_cast<size_t>(found - reader_ids_.begin());
    }
    ASSIGN_OR_RETURN(
        auto reader,
        ColumnReader::open(segment_, column.unique_id, column.type, column.missing_value)
    );
    readers_.push_back(std::move(reader));
    reader_ids_.push_back(column.unique_id);
    return readers_.size() - 1;
}

Status SegmentIterator::add_predicate(const ColumnPredicate& predicate, const ScanColumn& column) {
    if (next_range_ == ranges_.size()) {
        return {};
    }
    ASSIGN_OR_RETURN(auto evaluator, PredicateEvaluator::create(predicate, column.type));
    ASSIGN_OR_RETURN(const size_t reader, reader_of(column));
    if (scan_->use_zone_maps && segment_->has_column(column.unique_id)) {
        if (evaluator->matches_all(segment_->zone_map(column.unique_id))) {
            return {};
        }
        prune_pages(*evaluator, *readers_[reader]->pages());
    }
    filters_.push_back({std::move(evaluator), reader});
    return {};
}

Status SegmentIterator::add_runtime_predicates() {
    const RuntimePredicates* runtime = scan_->runtime_predicates.get();
    if (runtime == nullptr || runtime->generation() == runtime_generation_) {
        return {};
    }
    const std::vector<ColumnPredicate> added = runtime->since(runtime_generation_);
    runtime_generation_ += static_cast<uint32_t>(added.size());
    for (const ColumnPredicate& predicate : added) {
        const auto found = std::find_if(
            scan_->other_columns.begin(),
            scan_->other_columns.end(),
            [&](const ScanColumn& column) { return column.unique_id == predicate.column_unique_id; }
        );
        if (found != scan_->other_columns.end()) {
            RETURN_IF_ERROR(add_predicate(predicate, *found));
        }
    }
    return {};
}

void SegmentIterator::prune_pages(const PredicateEvaluator& evaluator, const ColumnPages& pages) {
    std::vector<RowRange> kept;
    int64_t rows_before = 0;
    int64_t rows_after = 0;
    for (size_t i = next_range_; i < ranges_.size(); ++i) {
        const RowRange range = ranges_[i];
        rows_before += range.end - range.begin;
        for (uint32_t page = pages.page_of(range.begin);
             page < pages.num_pages() && pages.first_rows[page] < range.end;
             ++page) {
            if (!evaluator.may_match(pages.zone_maps[page])) {
                continue;
            }
            const RowRange part{
                std::max(range.begin, pages.first_rows[page]),
                std::min(range.end, pages.first_rows[page + 1])
            };
            rows_after += part.end - part.begin;
            if (!kept.empty() && kept.back().end == part.begin) {
                kept.back().end = part.end;
            } else {
                kept.push_back(part);
            }
        }
    }
    statistics_.rows_pruned_zone_map += rows_before - rows_after;
    ranges_ = std::move(kept);
    next_range_ = 0;
}

bool SegmentIterator::next_window(RowRange& window) {
    if (next_range_ == ranges_.size()) {
        return false;
    }
    // Windows end at multiples of the batch size, so that with the usual sizes none straddles a
    // page.
    RowRange& range = ranges_[next_range_];
    const uint32_t aligned = range.begin - range.begin % scan_->batch_rows + scan_->batch_rows;
    window = {range.begin, std::min(range.end, aligned)};
    range.begin = window.end;
    if (range.begin == range.end) {
        ++next_range_;
    }
    return true;
}

Result<uint32_t> SegmentIterator::apply_filters(
    RowRange window, Selection& selection, std::vector<ColumnPtr>& read
) {
    const uint32_t num_rows = window.end - window.begin;
    bool is_all = true;
    for (Filter& filter : filters_) {
        ColumnPtr& column = read[filter.reader];
        if (column == nullptr) {
            const bool is_sparse = !is_all && selection.size() * kSparseFactor * 4 < num_rows;
            if (is_sparse && !selection.empty()) {
                // Few rows are left: read just those, filter them among themselves and map back.
                // Not kept for the output.
                ASSIGN_OR_RETURN(
                    ColumnPtr sparse, readers_[filter.reader]->read(window.begin, selection)
                );
                Selection passed;
                filter.evaluator->filter(sparse, true, passed);
                for (uint16_t& position : passed) {
                    position = selection[position];
                }
                selection.swap(passed);
                continue;
            }
            ASSIGN_OR_RETURN(column, readers_[filter.reader]->read(window.begin, num_rows));
        }
        filter.evaluator->filter(column, is_all, selection);
        is_all = false;
        if (selection.empty()) {
            return 0;
        }
    }
    return is_all ? num_rows : static_cast<uint32_t>(selection.size());
}

Status SegmentIterator::fill(
    RowRange window,
    Selection& selection,
    uint32_t num_passed,
    std::vector<ColumnPtr>& read,
    Batch& batch
) {
    const uint32_t num_rows = window.end - window.begin;
    const bool is_all = num_passed == num_rows;
    const bool is_sparse = !is_all && num_passed * kSparseFactor < num_rows;
    batch.columns.clear();
    batch.selection = nullptr;
    batch.num_rows = is_sparse ? num_passed : num_rows;
    std::vector<ColumnPtr> dense(is_sparse ? readers_.size() : 0);
    for (const size_t reader : output_readers_) {
        ColumnPtr& column = is_sparse ? dense[reader] : read[reader];
        if (column == nullptr && is_sparse) {
            if (read[reader] != nullptr) {
                column = gather(read[reader], selection.data(), num_passed);
            } else {
                ASSIGN_OR_RETURN(column, readers_[reader]->read(window.begin, selection));
            }
        } else if (column == nullptr) {
            ASSIGN_OR_RETURN(column, readers_[reader]->read(window.begin, num_rows));
        }
        batch.columns.push_back(column);
    }
    if (!is_all && !is_sparse) {
        if (output_readers_.empty()) {
            batch.num_rows = num_passed;
        } else {
            batch.selection = std::make_shared<const Selection>(std::move(selection));
        }
    }
    return {};
}

Result<bool> SegmentIterator::next_part(Batch& part) {
    RETURN_IF_ERROR(add_runtime_predicates());
    RowRange window;
    Selection selection;
    std::vector<ColumnPtr> read;
    while (next_window(window)) {
        read.assign(readers_.size(), nullptr);
        ASSIGN_OR_RETURN(const uint32_t num_passed, apply_filters(window, selection, read));
        statistics_.rows_filtered += window.end - window.begin - num_passed;
        if (num_passed > 0) {
            statistics_.rows_output += num_passed;
            RETURN_IF_ERROR(fill(window, selection, num_passed, read, part));
            return true;
        }
    }
    return false;
}

void SegmentIterator::join_parts(Batch& batch) {
    if (parts_.size() == 1) {
        batch = std::move(parts_.front());
    } else {
        batch.num_rows = part_rows_;
        batch.selection = nullptr;
        batch.columns.clear();
        for (size_t i = 0; i < parts_.front().columns.size(); ++i) {
            std::vector<ColumnPtr> pieces;
            pieces.reserve(parts_.size());
            for (const Batch& part : parts_) {
                pieces.push_back(part.columns[i]);
            }
            batch.columns.push_back(concatenate(pieces));
        }
    }
    parts_.clear();
    part_rows_ = 0;
}

Result<bool> SegmentIterator::next(Batch& batch) {
    if (full_part_.has_value()) {
        batch = std::move(*full_part_);
        full_part_.reset();
        return true;
    }
    const uint32_t enough_rows = scan_->batch_rows / kSparseFactor;
    while (part_rows_ < enough_rows) {
        Batch part;
        ASSIGN_OR_RETURN(const bool more, next_part(part));
        if (!more) {
            break;
        }
        if (part.num_selected() >= enough_rows || part.selection != nullptr) {
            if (parts_.empty()) {
                batch = std::move(part);
                return true;
            }
            full_part_ = std::move(part);
            break;
        }
        part_rows_ += part.num_rows;
        parts_.push_back(std::move(part));
    }
    if (parts_.empty()) {
        return false;
    }
    join_parts(batch);
    return true;
}

const ScanStatistics& SegmentIterator::statistics() {
    statistics_.pages_read = statistics_.pages_from_disk = statistics_.bytes_from_disk = 0;
    for (const auto& reader : readers_) {
        statistics_.pages_read += reader->counts().pages;
        statistics_.pages_from_disk += reader->counts().pages_from_disk;
        statistics_.bytes_from_disk += reader->counts().bytes_from_disk;
    }
    return statistics_;
}

}  // namespace thetis
