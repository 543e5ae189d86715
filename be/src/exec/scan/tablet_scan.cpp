// SPDX-License-Identifier: Apache-2.0
#include "exec/scan/tablet_scan.h"

namespace thetis {

namespace {
/// Lists of values up to this long are worth a look at the short-key index and at bloom filters.
constexpr uint32_t kMaxListedValues = 64;
}  // namespace

ScanCounters::ScanCounters(OperatorProfile& profile) {
    const std::pair<const char*, int64_t ScanStatistics::*> fields[] = {
        {"rows_in_range", &ScanStatistics::rows_in_range},
        {"rows_pruned_short_key", &ScanStatistics::rows_pruned_short_key},
        {"rows_pruned_zone_map", &ScanStatistics::rows_pruned_zone_map},
        {"rows_pruned_bloom_filter", &ScanStatistics::rows_pruned_bloom_filter},
        {"rows_deleted", &ScanStatistics::rows_deleted},
        {"rows_delete_proven", &ScanStatistics::rows_delete_proven},
        {"rows_filtered", &ScanStatistics::rows_filtered},
        {"rows_merged", &ScanStatistics::rows_merged},
        {"rows_proven", &ScanStatistics::rows_proven},
        {"rows_by_dictionary", &ScanStatistics::rows_by_dictionary},
        {"rows_read_late", &ScanStatistics::rows_read_late},
        {"segments_pruned", &ScanStatistics::segments_pruned},
        {"pages_read", &ScanStatistics::pages_read},
        {"pages_from_disk", &ScanStatistics::pages_from_disk},
        {"bytes_from_disk", &ScanStatistics::bytes_from_disk}
    };
    for (const auto& [name, field] : fields) {
        entries_.push_back({field, &profile.add_counter(name)});
    }
}

void ScanCounters::add(const ScanStatistics& statistics) const {
    for (const Entry& entry : entries_) {
        entry.counter->fetch_add(statistics.*entry.field, std::memory_order_relaxed);
    }
}

Status TabletScanState::open_locked(const TabletScanSpec::Range& range) {
    ReadOptions options = spec_.options;
    options.batch_rows = std::min(context_.batch_size, kMaxBatchRows);
    add_runtime_predicates(options);
    if (spec_.count_only) {
        options.column_unique_ids.clear();
    }
    ASSIGN_OR_RETURN(
        current_, context_.services.scans->open(range.tablet_id, range.version, std::move(options))
    );
    next_in_current_ = 0;
    add_statistics(current_->statistics());
    return {};
}

void TabletScanState::add_statistics(const ScanStatistics& statistics) {
    counters_.add(statistics);
    auto& profile = context_.profile;
    profile.scan_rows.fetch_add(
        statistics.rows_in_range - statistics.rows_pruned_short_key -
            statistics.rows_pruned_zone_map - statistics.rows_pruned_bloom_filter,
        std::memory_order_relaxed
    );
    profile.scan_bytes.fetch_add(statistics.bytes_from_disk, std::memory_order_relaxed);
}

bool TabletScanState::is_done_by_storage(const RuntimeFilterProbe& probe) const {
    return probe.probe->kind() == ExpressionKind::kSlot && probe.filter->ready()->is_ready() &&
           probe.filter->can_test();
}

// Filters over a plain column are applied by storage to pages, before it reads other columns; few
// values also as a list, which indexes understand.
void TabletScanState::add_runtime_predicates(ReadOptions& options) const {
    for (const auto& probe : spec_.runtime_filters) {
        if (!is_done_by_storage(probe)) {
            continue;
        }
        auto slot = static_cast<size_t>(probe.probe->slots().front());
        int32_t column = options.column_unique_ids[slot];
        const bool is_list =
            probe.filter->values() != nullptr && probe.filter->values()->size() <= kMaxListedValues;
        if (is_list) {
            options.predicates.push_back({column, PredicateOp::kIn, probe.filter->values()});
        } else {
            options.predicates.push_back({column, PredicateOp::kFilter, nullptr, probe.filter});
        }
    }
}

Result<std::unique_ptr<MorselReader>> TabletScanState::next_morsel() {
    std::lock_guard lock(mutex_);
    for (const auto& probe : spec_.runtime_filters) {
        if (probe.filter->passes_nothing()) {
            return std::unique_ptr<MorselReader>();
        }
    }
    const auto& ranges = spec_.count_only ? uncounted_ : spec_.ranges;
    size_t& next = spec_.count_only ? next_uncounted_ : next_range_;
    while (current_ == nullptr || next_in_current_ >= current_->num_morsels()) {
        if (next >= ranges.size()) {
            current_.reset();
            return std::unique_ptr<MorselReader>();
        }
        RETURN_IF_ERROR(open_locked(ranges[next++]));
    }
    return current_->read(next_in_current_++);
}

Result<int64_t> TabletScanState::next_row_count() {
    std::lock_guard lock(mutex_);
    while (next_range_ < spec_.ranges.size()) {
        const auto& range = spec_.ranges[next_range_++];
        RETURN_IF_ERROR(open_locked(range));
        const std::optional<int64_t> num_rows = current_->num_rows();
        current_.reset();
        if (num_rows.has_value()) {
            return *num_rows;
        }
        uncounted_.push_back(range);
    }
    return int64_t{-1};
}

TabletScanSource::TabletScanSource(std::shared_ptr<TabletScanState> state)
    : state_(std::move(state)),
      eval_(state_->context().eval),
      is_counting_(state_->spec().count_only) {}

Result<Poll> TabletScanSource::next(Batch& batch) {
    if (is_counting_) {
        return next_count(batch);
    }
    if (reader_ == nullptr) {
        ASSIGN_OR_RETURN(reader_, state_->next_morsel());
        if (reader_ == nullptr) {
            return Poll::finished();
        }
    }
    ASSIGN_OR_RETURN(bool more, reader_->next(batch));
    if (!more) {
        state_->add_statistics(reader_->statistics());
        reader_.reset();
        batch = {};
        return Poll::batch();
    }
    RETURN_IF_ERROR(apply_filters(batch));
    return Poll::batch();
}

// Batches that only have a row count.
Result<Poll> TabletScanSource::next_count(Batch& batch) {
    batch = {};
    if (pending_count_ == 0) {
        ASSIGN_OR_RETURN(pending_count_, state_->next_row_count());
        if (pending_count_ < 0) {
            pending_count_ = 0;
            is_counting_ = false;
            return Poll::batch();
        }
        state_->context().profile.scan_rows.fetch_add(pending_count_, std::memory_order_relaxed);
    }
    batch.num_rows = static_cast<uint32_t>(std::min<int64_t>(pending_count_, kMaxBatchRows));
    pending_count_ -= batch.num_rows;
    return Poll::batch();
}

Status TabletScanSource::apply_filters(Batch& batch) {
    const auto& spec = state_->spec();
    if (!spec.conjuncts.empty()) {
        RETURN_IF_ERROR(evaluate_filter(spec.conjuncts, batch, eval_));
    }
    for (const auto& probe : spec.runtime_filters) {
        if (batch.empty()) {
            break;
        }
        if (probe.filter->ready()->is_ready() && !state_->is_done_by_storage(probe)) {
            ASSIGN_OR_RETURN(auto column, evaluate(*probe.probe, batch, eval_));
            probe.filter->apply(column, batch);
        }
    }
    return {};
}

void TabletScanSource::close() {
    reader_.reset();
}

}  // namespace thetis
