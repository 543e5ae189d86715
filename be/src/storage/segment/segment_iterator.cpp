// SPDX-License-Identifier: Apache-2.0
#include "storage/segment/segment_iterator.h"

#include <span>

#include "storage/index/bloom_filter.h"
#include "storage/segment/delete_pruning.h"

namespace thetis {

namespace {

/// Below this share of passing rows a batch is made dense, and columns are read for those rows
/// only.
constexpr uint32_t kSparseFactor = 4;
/// Longer IN lists ask no bloom filter: nearly every page would pass.
constexpr uint32_t kMaxBloomValues = 1024;

int64_t count_rows(std::span<const RowRange> ranges) {
    int64_t count = 0;
    for (const RowRange& range : ranges) {
        count += range.end - range.begin;
    }
    return count;
}

/// Of ascending ranges what lies in pages that `keeps(page)` holds for.
template <typename Keeps>
std::vector<RowRange> keep_pages(
    std::span<const RowRange> ranges, const ColumnPages& pages, Keeps keeps
) {
    std::vector<RowRange> kept;
    for (const RowRange& range : ranges) {
        for (uint32_t page = pages.page_of(range.begin);
             page < pages.num_pages() && pages.first_rows[page] < range.end;
             ++page) {
            const RowRange part{
                std::max(range.begin, pages.first_rows[page]),
                std::min(range.end, pages.first_rows[page + 1])
            };
            if (!keeps(page)) {
                continue;
            }
            if (!kept.empty() && kept.back().end == part.begin) {
                kept.back().end = part.end;
            } else {
                kept.push_back(part);
            }
        }
    }
    return kept;
}

/// Of ascending ranges what is in none of `taken`, ascending too.
std::vector<RowRange> difference(
    std::span<const RowRange> ranges, std::span<const RowRange> taken
) {
    std::vector<RowRange> left;
    size_t next = 0;
    for (RowRange range : ranges) {
        while (next < taken.size() && taken[next].end <= range.begin) {
            ++next;
        }
        for (size_t i = next; i < taken.size() && taken[i].begin < range.end; ++i) {
            if (range.begin < taken[i].begin) {
                left.push_back({range.begin, taken[i].begin});
            }
            range.begin = std::min(range.end, taken[i].end);
        }
        if (range.begin < range.end) {
            left.push_back(range);
        }
    }
    return left;
}

}  // namespace

SegmentIterator::SegmentIterator(std::shared_ptr<const SegmentScan> scan, SegmentSource source)
    : scan_(std::move(scan)), source_(std::move(source)), deleted_(source_.deleted) {}

Result<std::unique_ptr<SegmentIterator>> SegmentIterator::open(
    std::shared_ptr<const SegmentScan> scan, SegmentSource source, RowRange rows
) {
    if (rows.begin > rows.end || rows.end > source.segment->num_rows()) {
        return Status::error(
            ErrorCode::kInternal,
            "Rows {} to {} are not in {}",
            rows.begin,
            rows.end,
            source.segment->path()
        );
    }
    auto iterator = std::make_unique<SegmentIterator>(std::move(scan), std::move(source));
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
    for (const DeleteFilterPtr& filter : iterator->source_.deletes) {
        RETURN_IF_ERROR(iterator->add_delete(filter));
    }
    for (const ScanColumn& column : iterator->scan_->output) {
        ASSIGN_OR_RETURN(const size_t reader, iterator->reader_of(column));
        iterator->output_readers_.push_back(reader);
    }
    return iterator;
}

/// Whether what the segment holds of the column is what the scan sees.
bool SegmentIterator::is_stored(const ScanColumn& column) const {
    const bool is_filled_in = source_.version.has_value() && scan_->version_id == column.unique_id;
    return !is_filled_in && source_.segment->has_column(column.unique_id);
}

Result<size_t> SegmentIterator::reader_of(const ScanColumn& column) {
    const auto found = std::find(reader_ids_.begin(), reader_ids_.end(), column.unique_id);
    if (found != reader_ids_.end()) {
        return static_cast<size_t>(found - reader_ids_.begin());
    }
    ASSIGN_OR_RETURN(
        auto reader, ColumnReader::open(source_, column, scan_->version_id, scan_->use_page_cache)
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
    const bool has_index = is_stored(column);
    const bool use_zone_maps = scan_->use_zone_maps && has_index;
    if (use_zone_maps) {
        ASSIGN_OR_RETURN(const ZoneMap* const zone, source_.segment->zone_map(column.unique_id));
        if (evaluator->matches_all(*zone)) {
            for (const RowRange& range : ranges_) {
                statistics_.rows_proven += range.end - range.begin;
            }
            return {};
        }
    }
    ASSIGN_OR_RETURN(const size_t reader, reader_of(column));
    Filter filter{.evaluator = std::move(evaluator), .reader = reader, .is_proven = {}};
    if (use_zone_maps) {
        const ColumnPages& pages = *readers_[reader]->pages();
        ASSIGN_OR_RETURN(const auto zones, source_.segment->page_zone_maps(pages));
        bool any_proven = false;
        filter.is_proven.resize(pages.num_pages());
        statistics_.rows_pruned_zone_map += prune_pages(pages, [&](uint32_t page) {
            const ZoneMap& zone = zones[page];
            filter.is_proven[page] = filter.evaluator->matches_all(zone) ? 1 : 0;
            any_proven |= filter.is_proven[page] != 0;
            return filter.evaluator->may_match(zone);
        });
        if (!any_proven) {
            filter.is_proven.clear();
        }
    }
    if (has_index && scan_->use_bloom_filters) {
        RETURN_IF_ERROR(prune_by_bloom_filter(*filter.evaluator, *readers_[reader]->pages()));
    }
    filters_.push_back(std::move(filter));
    return {};
}

Status SegmentIterator::prune_by_bloom_filter(
    const PredicateEvaluator& evaluator, const ColumnPages& pages
) {
    const ColumnPredicate& predicate = evaluator.predicate();
    const bool names_values = predicate.op == PredicateOp::kEq || predicate.op == PredicateOp::kIn;
    if (!pages.has_bloom_filter || !names_values || ranges_.empty() ||
        predicate.values->size() > kMaxBloomValues) {
        return {};
    }
    ASSIGN_OR_RETURN(const auto filters, source_.segment->bloom_filters(pages.unique_id));
    const std::vector<uint64_t> hashes = bloom_hashes(*predicate.values);
    statistics_.rows_pruned_bloom_filter +=
        prune_pages(pages, [&](uint32_t page) { return filters->may_contain(page, hashes); });
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

Status SegmentIterator::add_delete(const DeleteFilterPtr& filter) {
    Delete entry{.filter = filter, .readers = {}, .ranges = ranges_};
    if (scan_->use_zone_maps) {
        ASSIGN_OR_RETURN(const bool may_take, narrow_delete(entry));
        if (!may_take) {
            return {};
        }
    }
    for (const int32_t unique_id : filter->column_unique_ids()) {
        ASSIGN_OR_RETURN(const size_t reader, reader_of_deleting(unique_id));
        entry.readers.push_back(reader);
    }
    deletes_.push_back(std::move(entry));
    return {};
}

/// By the zone maps of pages: rows that a DELETE takes for certain leave the ranges to read, and
/// where it takes none it is not asked. False when nothing is left to ask it about.
Result<bool> SegmentIterator::narrow_delete(Delete& entry) {
    const int64_t num_before = count_rows(ranges_);
    std::vector<RowRange> taken = entry.filter->is_exact() ? ranges_ : std::vector<RowRange>();
    for (const auto& test : entry.filter->column_tests()) {
        if (!has_zone_maps(source_, *test, scan_->version_id)) {
            taken.clear();
            continue;
        }
        ASSIGN_OR_RETURN(const size_t reader, reader_of_deleting(test->column_unique_id()));
        const ColumnPages& pages = *readers_[reader]->pages();
        ASSIGN_OR_RETURN(const auto zones, source_.segment->page_zone_maps(pages));
        entry.ranges = keep_pages(entry.ranges, pages, [&](uint32_t page) {
            return test->may_match(zones[page]);
        });
        taken =
            keep_pages(taken, pages, [&](uint32_t page) { return test->matches_all(zones[page]); });
    }
    ranges_ = difference(ranges_, taken);
    entry.ranges = difference(entry.ranges, taken);
    statistics_.rows_deleted += count_rows(taken);
    statistics_.rows_delete_proven += num_before - count_rows(entry.ranges);
    return !entry.ranges.empty();
}

Result<size_t> SegmentIterator::reader_of_deleting(int32_t unique_id) {
    const auto known = std::find_if(
        scan_->other_columns.begin(),
        scan_->other_columns.end(),
        [&](const ScanColumn& column) { return column.unique_id == unique_id; }
    );
    // A column that was dropped after the DELETE is read as it was written.
    ScanColumn column{.unique_id = unique_id};
    if (known != scan_->other_columns.end()) {
        column = *known;
    } else if (source_.segment->has_column(unique_id)) {
        column.type = source_.segment->column_type(unique_id);
    }
    return reader_of(column);
}

/// Leaves out the pages that cannot match; gives the number of rows left out.
template <typename MayMatch>
int64_t SegmentIterator::prune_pages(const ColumnPages& pages, MayMatch may_match) {
    const std::span rest = std::span(ranges_).subspan(next_range_);
    const int64_t num_before = count_rows(rest);
    ranges_ = keep_pages(rest, pages, may_match);
    next_range_ = 0;
    return num_before - count_rows(ranges_);
}

bool SegmentIterator::is_proven(const Filter& filter, RowRange window) const {
    if (filter.is_proven.empty()) {
        return false;
    }
    const ColumnPages& pages = *readers_[filter.reader]->pages();
    const uint32_t page = pages.page_of(window.begin);
    return filter.is_proven[page] != 0 && window.end <= pages.first_rows[page + 1];
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

Result<ColumnPtr> SegmentIterator::read_whole(
    size_t reader, RowRange window, std::vector<ColumnPtr>& read
) {
    if (read[reader] == nullptr) {
        ASSIGN_OR_RETURN(
            read[reader], readers_[reader]->read(window.begin, window.end - window.begin)
        );
    }
    return read[reader];
}

/// Few rows are left: reads just those, filters them among themselves and maps back. What was read
/// is not kept for the output.
Status SegmentIterator::filter_sparse(const Filter& filter, RowRange window, Selection& selection) {
    ASSIGN_OR_RETURN(ColumnPtr sparse, readers_[filter.reader]->read(window.begin, selection));
    Selection passed;
    filter.evaluator->filter(sparse, true, passed);
    for (uint16_t& position : passed) {
        position = selection[position];
    }
    selection.swap(passed);
    return {};
}

Result<uint32_t> SegmentIterator::apply_filters(
    RowRange window, Selection& selection, std::vector<ColumnPtr>& read
) {
    const uint32_t num_rows = window.end - window.begin;
    const Selection& dropped = deleted_.in(window.begin, num_rows);
    if (dropped.size() == num_rows) {
        statistics_.rows_deleted += num_rows;
        return 0;
    }
    bool is_all = true;
    for (Filter& filter : filters_) {
        if (is_proven(filter, window)) {
            statistics_.rows_proven += is_all ? num_rows : selection.size();
            continue;
        }
        const bool is_sparse = scan_->use_late_materialization && !is_all &&
                               selection.size() * kSparseFactor * 4 < num_rows;
        if (is_sparse && read[filter.reader] == nullptr) {
            RETURN_IF_ERROR(filter_sparse(filter, window, selection));
        } else {
            ASSIGN_OR_RETURN(ColumnPtr column, read_whole(filter.reader, window, read));
            if (column->form() == ColumnForm::kDictionary) {
                if (scan_->use_dictionary_predicates) {
                    statistics_.rows_by_dictionary += is_all ? num_rows : selection.size();
                } else {
                    column = column->flatten(column);
                }
            }
            filter.evaluator->filter(column, is_all, selection);
        }
        is_all = false;
        if (selection.empty()) {
            statistics_.rows_filtered += num_rows;
            return 0;
        }
    }
    const auto num_passed = is_all ? num_rows : static_cast<uint32_t>(selection.size());
    statistics_.rows_filtered += num_rows - num_passed;
    if (!dropped.empty()) {
        subtract(dropped, num_rows, is_all, selection);
        is_all = false;
    }
    RETURN_IF_ERROR(apply_deletes(window, is_all, selection, read));
    const auto num_left = is_all ? num_rows : static_cast<uint32_t>(selection.size());
    statistics_.rows_deleted += num_passed - num_left;
    return num_left;
}

Status SegmentIterator::apply_deletes(
    RowRange window, bool& is_all, Selection& selection, std::vector<ColumnPtr>& read
) {
    const uint32_t num_rows = window.end - window.begin;
    for (Delete& entry : deletes_) {
        if (!is_all && selection.empty()) {
            return {};
        }
        while (entry.next_range < entry.ranges.size() &&
               entry.ranges[entry.next_range].end <= window.begin) {
            ++entry.next_range;
        }
        if (entry.next_range == entry.ranges.size() ||
            entry.ranges[entry.next_range].begin >= window.end) {
            continue;
        }
        std::vector<ColumnPtr> columns;
        for (const size_t reader : entry.readers) {
            ASSIGN_OR_RETURN(ColumnPtr column, read_whole(reader, window, read));
            columns.push_back(std::move(column));
        }
        taken_.assign(num_rows, 0);
        RETURN_IF_ERROR(entry.filter->match(columns, num_rows, taken_));
        Selection dropped(num_rows);
        uint32_t num_dropped = 0;
        for (uint32_t row = 0; row < num_rows; ++row) {
            dropped[num_dropped] = static_cast<uint16_t>(row);
            num_dropped += taken_[row] != 0 ? 1 : 0;
        }
        dropped.resize(num_dropped);
        if (num_dropped > 0) {
            subtract(dropped, num_rows, is_all, selection);
            is_all = false;
        }
    }
    return {};
}

Status SegmentIterator::fill(
    RowRange window,
    Selection& selection,
    uint32_t num_passed,
    bool is_dense,
    std::vector<ColumnPtr>& read,
    Batch& batch
) {
    const uint32_t num_rows = window.end - window.begin;
    const bool is_all = num_passed == num_rows;
    const bool is_sparse = !is_all && (is_dense || num_passed * kSparseFactor < num_rows);
    batch.columns.clear();
    batch.selection = nullptr;
    batch.num_rows = is_sparse ? num_passed : num_rows;
    std::vector<ColumnPtr> dense(is_sparse ? readers_.size() : 0);
    statistics_.rows_read_late += is_sparse && scan_->use_late_materialization ? num_passed : 0;
    for (const size_t reader : output_readers_) {
        if (!is_sparse) {
            ASSIGN_OR_RETURN(ColumnPtr column, read_whole(reader, window, read));
            batch.columns.push_back(std::move(column));
            continue;
        }
        ColumnPtr& column = dense[reader];
        if (column == nullptr) {
            if (!scan_->use_late_materialization) {
                RETURN_IF_ERROR(read_whole(reader, window, read).status());
            }
            if (read[reader] != nullptr) {
                column = gather(read[reader], selection.data(), num_passed);
            } else {
                ASSIGN_OR_RETURN(column, readers_[reader]->read(window.begin, selection));
            }
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

Result<bool> SegmentIterator::next_part(Batch& part, std::vector<uint32_t>* row_numbers) {
    RETURN_IF_ERROR(add_runtime_predicates());
    RowRange window;
    Selection selection;
    std::vector<ColumnPtr> read;
    while (next_window(window)) {
        read.assign(readers_.size(), nullptr);
        ASSIGN_OR_RETURN(const uint32_t num_passed, apply_filters(window, selection, read));
        if (num_passed == 0) {
            continue;
        }
        statistics_.rows_output += num_passed;
        if (row_numbers != nullptr) {
            const bool is_all = num_passed == window.end - window.begin;
            row_numbers->resize(num_passed);
            for (uint32_t i = 0; i < num_passed; ++i) {
                (*row_numbers)[i] = window.begin + (is_all ? i : selection[i]);
            }
        }
        RETURN_IF_ERROR(fill(window, selection, num_passed, row_numbers != nullptr, read, part));
        return true;
    }
    return false;
}

Result<bool> SegmentIterator::next(Batch& batch, std::vector<uint32_t>& row_numbers) {
    return next_part(batch, &row_numbers);
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
        ASSIGN_OR_RETURN(const bool more, next_part(part, nullptr));
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
