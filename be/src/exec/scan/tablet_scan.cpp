// SPDX-License-Identifier: Apache-2.0
#include "exec/scan/tablet_scan.h"

namespace thetis {

Status TabletScanState::open_next_locked() {
    const auto& range = spec_.ranges[next_range_++];
    ReadOptions options = spec_.options;
    options.batch_rows = std::min(context_.batch_size, kMaxBatchRows);
    add_runtime_predicates(options);
    ASSIGN_OR_RETURN(
        current_, context_.services.scans->open(range.tablet_id, range.version, std::move(options))
    );
    next_in_current_ = 0;
    return {};
}

bool TabletScanState::is_done_by_storage(const RuntimeFilterProbe& probe) const {
    return probe.probe->kind() == ExpressionKind::kSlot && probe.filter->ready()->is_ready() &&
           probe.filter->values() != nullptr;
}

// Filters over a plain column: few values are tested by storage on encoded pages, bounds at least
// prune pages.
void TabletScanState::add_runtime_predicates(ReadOptions& options) const {
    for (const auto& probe : spec_.runtime_filters) {
        if (probe.probe->kind() != ExpressionKind::kSlot || !probe.filter->ready()->is_ready()) {
            continue;
        }
        auto slot = static_cast<size_t>(probe.probe->slots().front());
        int32_t column = options.column_unique_ids[slot];
        if (is_done_by_storage(probe)) {
            options.predicates.push_back({column, PredicateOp::kIn, probe.filter->values()});
        } else if (probe.filter->min().has_value() && probe.filter->max().has_value()) {
            options.predicates.push_back(
                {column, PredicateOp::kGe, probe.filter->min()->to_column()}
            );
            options.predicates.push_back(
                {column, PredicateOp::kLe, probe.filter->max()->to_column()}
            );
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
    while (current_ == nullptr || next_in_current_ >= current_->num_morsels()) {
        if (next_range_ >= spec_.ranges.size()) {
            current_.reset();
            return std::unique_ptr<MorselReader>();
        }
        RETURN_IF_ERROR(open_next_locked());
    }
    return current_->read(next_in_current_++);
}

Result<int64_t> TabletScanState::next_row_count() {
    std::lock_guard lock(mutex_);
    if (next_range_ >= spec_.ranges.size()) {
        return int64_t{-1};
    }
    RETURN_IF_ERROR(open_next_locked());
    return current_->num_rows();
}

TabletScanSource::TabletScanSource(std::shared_ptr<TabletScanState> state)
    : state_(std::move(state)), eval_(state_->context().eval) {}

Result<Poll> TabletScanSource::next(Batch& batch) {
    if (state_->spec().count_only) {
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
        add_statistics();
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
            return Poll::finished();
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

void TabletScanSource::add_statistics() {
    auto statistics = reader_->statistics();
    auto& profile = state_->context().profile;
    profile.scan_rows.fetch_add(
        statistics.rows_in_range - statistics.rows_pruned_short_key -
            statistics.rows_pruned_zone_map,
        std::memory_order_relaxed
    );
    profile.scan_bytes.fetch_add(statistics.bytes_from_disk, std::memory_order_relaxed);
}

void TabletScanSource::close() {
    reader_.reset();
}

}  // namespace thetis
