// SPDX-License-Identifier: Apache-2.0
#include "exec/aggregate/aggregate_operators.h"

namespace thetis {

void AggregateState::add_table(std::unique_ptr<AggregateTable> table) {
    Run run{std::move(table), {}, {}};
    if (spec_->key_layout != nullptr && run.table->num_groups() >= kPartitionFromGroups) {
        // Each task orders its own groups; only small tables are left for the last one.
        run.table->partition(kPartitionBits, run.groups, run.begins);
    }
    std::lock_guard lock(mutex_);
    if (run.table->num_groups() > 0) {
        runs_.push_back(std::move(run));
    }
    if (--pending_sinks_ == 0) {
        seal();
        ready_->set_ready();
    }
}

void AggregateState::seal() {
    if (runs_.size() == 1) {
        single_ = std::move(runs_[0].table);
        runs_.clear();
        return;
    }
    bool is_large = false;
    for (const auto& run : runs_) {
        is_large |= !run.begins.empty();
    }
    partition_bits_ = is_large ? kPartitionBits : 0;
    for (auto& run : runs_) {
        if (run.begins.empty()) {
            run.table->partition(partition_bits_, run.groups, run.begins);
        }
    }
}

Result<AggregateState::Piece> AggregateState::next_piece(const EvalContext& eval) {
    uint32_t number = next_.fetch_add(1, std::memory_order_relaxed);
    if (single_ != nullptr) {
        uint64_t begin = static_cast<uint64_t>(number) * kRangeGroups;
        if (begin >= single_->num_groups()) {
            return Piece{};
        }
        return Piece{
            single_,
            static_cast<uint32_t>(begin),
            std::min(single_->num_groups(), static_cast<uint32_t>(begin) + kRangeGroups)
        };
    }
    if (number >= (uint32_t{1} << partition_bits_)) {
        return Piece{};
    }
    auto merged = std::make_shared<AggregateTable>(spec_, eval);
    uint32_t most = 0;
    for (const auto& run : runs_) {
        most = std::max(most, run.begins[number + 1] - run.begins[number]);
    }
    merged->expect_groups(most);
    for (const auto& run : runs_) {
        uint32_t end = run.begins[number + 1];
        for (uint32_t begin = run.begins[number]; begin < end; begin += kMaxBatchRows) {
            RETURN_IF_ERROR(merged->merge(
                *run.table, run.groups.data() + begin, std::min(kMaxBatchRows, end - begin)
            ));
        }
    }
    merged->ensure_single_group();
    return Piece{merged, 0, merged->num_groups()};
}

Result<Poll> AggregateSink::finish() {
    if (table_ != nullptr) {
        state_->add_table(std::move(table_));
    }
    return Poll::finished();
}

Result<Poll> AggregateSource::next(Batch& batch) {
    if (piece_.begin >= piece_.end) {
        ASSIGN_OR_RETURN(piece_, state_->next_piece(eval_));
        if (piece_.table == nullptr) {
            return Poll::finished();
        }
        if (profile_ != nullptr) {
            profile_->detail.fetch_add(piece_.end - piece_.begin, std::memory_order_relaxed);
        }
        if (piece_.begin >= piece_.end) {
            batch = {};
            return Poll::batch();
        }
    }
    uint32_t count = std::min(state_->batch_size(), piece_.end - piece_.begin);
    ASSIGN_OR_RETURN(batch, piece_.table->output(piece_.begin, count));
    piece_.begin += count;
    return Poll::batch();
}

Status PartialAggregateOperator::accept(Batch batch) {
    if (bypass_rows_left_ > 0) {
        bypass_rows_left_ -= batch.num_selected();
        ASSIGN_OR_RETURN(passed_, AggregateTable::pass_through(*spec_, batch, eval_));
        return {};
    }
    RETURN_IF_ERROR(table_.add(batch));
    if (table_.num_groups() >= kMaxGroups) {
        flushing_ = true;
        if (static_cast<double>(table_.num_groups()) >
            kPoorReduction * static_cast<double>(table_.rows_added())) {
            bypass_rows_left_ = kBypassRows;
        }
    }
    return {};
}

Status PartialAggregateOperator::finish_input() {
    input_finished_ = true;
    flushing_ = true;
    return {};
}

Result<Poll> PartialAggregateOperator::next(Batch& batch) {
    if (!passed_.empty()) {
        batch = std::move(passed_);
        passed_ = {};
        return Poll::batch();
    }
    if (flushing_) {
        if (flushed_ < table_.num_groups()) {
            uint32_t count = std::min(batch_size_, table_.num_groups() - flushed_);
            ASSIGN_OR_RETURN(batch, table_.output(flushed_, count));
            flushed_ += count;
            return Poll::batch();
        }
        table_.clear();
        flushed_ = 0;
        flushing_ = false;
    }
    return input_finished_ ? Poll::finished() : Poll::blocked(nullptr);
}

}  // namespace thetis
