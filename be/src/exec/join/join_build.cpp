// SPDX-License-Identifier: Apache-2.0
#include "exec/join/join_build.h"

namespace thetis {

JoinBuildState::JoinBuildState(
    std::shared_ptr<const JoinSpec> spec,
    int num_sinks,
    int num_workers,
    std::vector<FilterTarget> filters,
    EvalContext eval
)
    : spec_(std::move(spec)),
      num_workers_(static_cast<size_t>(std::max(num_workers, 1))),
      filters_(std::move(filters)),
      eval_(eval),
      pending_sinks_(num_sinks) {}

Status JoinBuildState::add_run(Run run) {
    std::lock_guard lock(mutex_);
    runs_.push_back(std::move(run));
    if (--pending_sinks_ > 0) {
        return {};
    }
    RETURN_IF_ERROR(seal());
    if (num_rows_ < kParallelFromRows) {
        while (true) {
            ASSIGN_OR_RETURN(bool more, finish_step());
            if (!more) {
                break;
            }
        }
    }
    sealed_->set_ready();
    return {};
}

Status JoinBuildState::seal() {
    uint64_t total = 0;
    std::vector<uint32_t> bases;
    std::vector<std::unique_ptr<JoinKeyRun>> key_runs;
    for (auto& run : runs_) {
        bases.push_back(static_cast<uint32_t>(total));
        for (uint32_t row : run.null_key_rows) {
            null_key_rows_.push_back(static_cast<uint32_t>(total) + row);
        }
        has_null_key_ |= run.has_null_key;
        total += run.num_rows;
        if (run.keys != nullptr) {
            key_runs.push_back(std::move(run.keys));
        }
    }
    if (total >= UINT32_MAX) {
        return Status(
            ErrorCode::kNotSupported,
            "a join build side of more than 4 billion rows on one back end"
        );
    }
    num_rows_ = static_cast<uint32_t>(total);
    size_t num_parts = 0;
    if (spec_->has_keys()) {
        table_ = std::make_unique<JoinTable>(spec_->key_layout->width());
        table_->plan(
            std::move(key_runs), std::move(bases), num_rows_ < kParallelFromRows ? 1 : num_workers_
        );
        num_parts = table_->num_parts();
    }
    columns_.resize(spec_->right_types.size());
    if (spec_->needs_build_marks()) {
        marks_ = TrackedVector<uint8_t>(num_rows_, uint8_t{0});
    }
    // Parts, payload columns, and one for the filters.
    num_morsels_ = num_parts + columns_.size() + 1;
    pending_morsels_.store(num_morsels_, std::memory_order_release);
    return {};
}

Result<bool> JoinBuildState::finish_step() {
    size_t morsel = next_morsel_.fetch_add(1, std::memory_order_acq_rel);
    if (morsel >= num_morsels_) {
        return false;
    }
    RETURN_IF_ERROR(run_morsel(morsel));
    if (pending_morsels_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        if (table_ != nullptr) {
            table_->finish_build();
        }
        runs_.clear();
        ready_->set_ready();
    }
    return true;
}

Status JoinBuildState::run_morsel(size_t morsel) {
    size_t num_parts = table_ == nullptr ? 0 : table_->num_parts();
    if (morsel < num_parts) {
        table_->build_part(morsel);
        return {};
    }
    size_t c = morsel - num_parts;
    if (c == columns_.size()) {
        return build_filters();
    }
    std::vector<ColumnPtr> pieces;
    for (const auto& run : runs_) {
        for (const auto& batch : run.batches) {
            pieces.push_back(batch.columns[c]);
        }
    }
    columns_[c] = pieces.empty()
                      ? ColumnPtr(Column::flat(spec_->right_types[c], 0, Buffer::allocate(0)))
                      : concatenate(pieces);
    return {};
}

Status JoinBuildState::build_filters() {
    for (const auto& target : filters_) {
        std::vector<ColumnPtr> keys;
        for (const auto& run : runs_) {
            for (const auto& batch : run.batches) {
                ASSIGN_OR_RETURN(
                    auto column, evaluate(*spec_->build_keys[target.key], batch, eval_)
                );
                keys.push_back(std::move(column));
            }
        }
        target.filter->build(keys);
    }
    return {};
}

JoinBuildSink::JoinBuildSink(
    std::shared_ptr<JoinBuildState> state, EvalContext eval, OperatorProfile* profile
)
    : state_(std::move(state)), eval_(eval), profile_(profile) {
    if (state_->spec()->has_keys()) {
        run_.keys = std::make_unique<JoinKeyRun>(state_->spec()->key_layout->width());
        key_rows_ = std::make_unique<KeyRows>(*state_->spec()->key_layout);
    }
}

Status JoinBuildSink::accept(Batch batch) {
    if (batch.selection != nullptr) {
        batch = batch.compact();
    }
    uint32_t first_row = run_.num_rows;
    if (static_cast<uint64_t>(first_row) + batch.num_rows >= UINT32_MAX) {
        return Status(
            ErrorCode::kNotSupported,
            "a join build side of more than 4 billion rows on one back end"
        );
    }
    run_.num_rows += batch.num_rows;
    if (state_->spec()->has_keys()) {
        RETURN_IF_ERROR(append_keys(batch, first_row));
    }
    run_.batches.push_back(std::move(batch));
    return {};
}

Status JoinBuildSink::append_keys(const Batch& batch, uint32_t first_row) {
    const JoinSpec& spec = *state_->spec();
    std::vector<ColumnPtr> keys;
    bool may_have_nulls = false;
    for (size_t i = 0; i < spec.build_keys.size(); ++i) {
        ASSIGN_OR_RETURN(auto column, evaluate(*spec.build_keys[i], batch, eval_));
        may_have_nulls |= !spec.null_safe[i] && column->may_have_nulls();
        keys.push_back(std::move(column));
    }
    Selection rows;
    if (may_have_nulls) {
        rows.reserve(batch.num_rows);
        for (uint32_t row = 0; row < batch.num_rows; ++row) {
            bool has_null = false;
            for (size_t i = 0; i < keys.size(); ++i) {
                has_null |= !spec.null_safe[i] && keys[i]->is_null(row);
            }
            if (!has_null) {
                rows.push_back(static_cast<uint16_t>(row));
                continue;
            }
            run_.has_null_key = true;
            if (spec.type == JoinType::kNullAwareLeftAnti) {
                run_.null_key_rows.push_back(first_row + row);
            }
        }
    }
    const uint16_t* positions = may_have_nulls ? rows.data() : nullptr;
    key_rows_->compute(
        keys, positions, may_have_nulls ? static_cast<uint32_t>(rows.size()) : batch.num_rows
    );
    run_.keys->append(*key_rows_, first_row, positions);
    return {};
}

Result<Poll> JoinBuildSink::finish() {
    if (!finished_) {
        finished_ = true;
        if (profile_ != nullptr) {
            profile_->detail.fetch_add(run_.num_rows, std::memory_order_relaxed);
        }
        RETURN_IF_ERROR(state_->add_run(std::move(run_)));
    }
    return Poll::finished();
}

void JoinBuildSink::close() {
    run_ = {};
}

Result<Poll> JoinFinishSource::next(Batch& batch) {
    batch = {};
    ASSIGN_OR_RETURN(bool more, state_->finish_step());
    return more ? Poll::batch() : Poll::finished();
}

}  // namespace thetis
