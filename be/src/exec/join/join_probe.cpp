// SPDX-License-Identifier: Apache-2.0
#include "exec/join/join_probe.h"

namespace thetis {

namespace {

/// Portions of pairs that may all be filtered away before next() returns: some tenths of a
/// millisecond each.
constexpr uint32_t kMaxFruitlessPortions = 16;

DataType nullable(DataType type) {
    type.nullable = true;
    return type;
}

bool keeps_left_rows(JoinType type) {
    return type == JoinType::kLeftOuter || type == JoinType::kFullOuter ||
           type == JoinType::kLeftSemi || type == JoinType::kLeftAnti ||
           type == JoinType::kNullAwareLeftAnti;
}

}  // namespace

JoinProbeOperator::JoinProbeOperator(
    std::shared_ptr<JoinBuildState> build, EvalContext eval, uint32_t batch_size
)
    : build_(std::move(build)),
      spec_(*build_->spec()),
      eval_(eval),
      batch_size_(std::min(batch_size, kMaxBatchRows)) {
    if (spec_.has_keys()) {
        key_rows_ = std::make_unique<KeyRows>(*spec_.key_layout);
    }
    pair_left_.resize(batch_size_);
    pair_build_.resize(batch_size_);
}

Status JoinProbeOperator::accept(Batch batch) {
    input_ = std::move(batch);
    cursor_ = {};
    nested_left_ = 0;
    nested_build_ = 0;
    if (!spec_.has_keys()) {
        left_matched_.assign(input_.num_selected(), 0);
        stage_ = Stage::kAllPairs;
        return {};
    }
    RETURN_IF_ERROR(compute_keys());
    build_->table().find_candidates(
        *key_rows_, has_unusable_ ? usable_.data() : nullptr, candidates_
    );
    if (spec_.conjuncts.empty() && spec_.gives_left_only()) {
        apply_any_match();
        return {};
    }
    left_matched_.assign(input_.num_selected(), 0);
    stage_ = Stage::kHashPairs;
    return {};
}

Status JoinProbeOperator::compute_keys() {
    uint32_t count = input_.num_selected();
    std::vector<ColumnPtr> keys;
    has_unusable_ = false;
    null_probe_.clear();
    for (size_t i = 0; i < spec_.probe_keys.size(); ++i) {
        ASSIGN_OR_RETURN(auto column, evaluate(*spec_.probe_keys[i], input_, eval_));
        if (!spec_.null_safe[i] && column->may_have_nulls()) {
            if (!has_unusable_) {
                usable_.assign(validity::num_words(count), ~uint64_t{0});
                has_unusable_ = true;
            }
            for (uint32_t row = 0; row < count; ++row) {
                if (column->is_null(input_.row_at(row))) {
                    validity::set_null(usable_.data(), row);
                }
            }
        }
        keys.push_back(std::move(column));
    }
    if (has_unusable_ && spec_.type == JoinType::kNullAwareLeftAnti) {
        for (uint32_t row = 0; row < count; ++row) {
            if (!validity::is_valid(usable_.data(), row)) {
                null_probe_.push_back(row);
            }
        }
    }
    key_rows_->compute(
        keys, input_.selection == nullptr ? nullptr : input_.selection->data(), count
    );
    return {};
}

// Semi and anti joins that need to know only whether there is a partner.
void JoinProbeOperator::apply_any_match() {
    uint32_t count = input_.num_selected();
    std::vector<uint16_t> matched(count);
    uint32_t num_matched = build_->table().match_any(*key_rows_, candidates_, matched.data());
    auto selection = std::make_shared<Selection>();
    if (spec_.type == JoinType::kLeftSemi) {
        selection->reserve(num_matched);
        for (uint32_t i = 0; i < num_matched; ++i) {
            selection->push_back(static_cast<uint16_t>(input_.row_at(matched[i])));
        }
    } else if (spec_.type == JoinType::kLeftAnti || build_->num_rows() == 0 ||
               !build_->has_null_key()) {
        bool drop_nulls =
            spec_.type == JoinType::kNullAwareLeftAnti && has_unusable_ && build_->num_rows() > 0;
        uint32_t at = 0;
        for (uint32_t row = 0; row < count; ++row) {
            if (at < num_matched && matched[at] == row) {
                ++at;
            } else if (!drop_nulls || validity::is_valid(usable_.data(), row)) {
                selection->push_back(static_cast<uint16_t>(input_.row_at(row)));
            }
        }
    }
    held_ = {};
    held_.num_rows = input_.num_rows;
    held_.selection = std::move(selection);
    for (int position : spec_.output_positions) {
        held_.columns.push_back(input_.columns[static_cast<size_t>(position)]);
    }
    stage_ = Stage::kReady;
}

Status JoinProbeOperator::finish_input() {
    input_finished_ = true;
    bool owes = spec_.needs_build_marks();
    stage_ = build_->probe_finished() && owes ? Stage::kBuildRemainder : Stage::kIdle;
    return {};
}

void JoinProbeOperator::next_stage() {
    nested_left_ = 0;
    nested_build_ = 0;
    bool null_aware = spec_.type == JoinType::kNullAwareLeftAnti;
    if (stage_ == Stage::kHashPairs && null_aware) {
        stage_ = Stage::kNullBuildRows;
    } else if (stage_ == Stage::kNullBuildRows) {
        stage_ = Stage::kNullProbeRows;
    } else {
        stage_ = keeps_left_rows(spec_.type) ? Stage::kLeftRemainder : Stage::kIdle;
    }
}

Result<Poll> JoinProbeOperator::next(Batch& batch) {
    uint32_t fruitless = 0;
    while (true) {
        switch (stage_) {
            case Stage::kIdle:
                if (build_->num_rows() == 0 && !keeps_left_rows(spec_.type)) {
                    return Poll::finished();  // Nothing can match: the probe side need not be read.
                }
                return input_finished_ ? Poll::finished() : Poll::blocked(nullptr);
            case Stage::kReady:
                batch = std::move(held_);
                stage_ = Stage::kIdle;
                return Poll::batch();
            case Stage::kLeftRemainder:
                stage_ = Stage::kIdle;
                if (emit_left_remainder(batch)) {
                    return Poll::batch();
                }
                continue;
            case Stage::kBuildRemainder:
                if (emit_build_remainder(batch)) {
                    return Poll::batch();
                }
                stage_ = Stage::kIdle;
                continue;
            default:
                break;
        }
        if (stage_ == Stage::kAllPairs && emit_single_build_row(batch)) {
            return Poll::batch();
        }
        uint32_t count = make_pairs();
        if (count == 0) {
            next_stage();
            continue;
        }
        bool is_last = count < batch_size_;
        ASSIGN_OR_RETURN(count, filter_pairs(count));
        mark_pairs(count);
        if (is_last) {
            next_stage();
        }
        if (count > 0 && spec_.gives_pairs()) {
            batch = output_pairs(count);
            return Poll::batch();
        }
        if (++fruitless == kMaxFruitlessPortions) {
            batch = {};
            return Poll::batch();  // Still working: lets the task look at its slice and at cancels.
        }
    }
}

uint32_t JoinProbeOperator::make_pairs() {
    uint32_t num_left = input_.num_selected();
    switch (stage_) {
        case Stage::kHashPairs:
            return build_->table().match(
                *key_rows_, candidates_, cursor_, pair_left_.data(), pair_build_.data(), batch_size_
            );
        case Stage::kNullBuildRows:
            return make_nested_pairs(
                num_left,
                nullptr,
                static_cast<uint32_t>(build_->null_key_rows().size()),
                build_->null_key_rows().data()
            );
        case Stage::kNullProbeRows:
            return make_nested_pairs(
                static_cast<uint32_t>(null_probe_.size()),
                null_probe_.data(),
                build_->num_rows(),
                nullptr
            );
        default:
            return make_nested_pairs(num_left, nullptr, build_->num_rows(), nullptr);
    }
}

// Rows of the left list (null: 0..n) with rows of the build list, from where the last call stopped.
uint32_t JoinProbeOperator::make_nested_pairs(
    uint32_t num_left, const uint32_t* left, uint32_t num_build, const uint32_t* build
) {
    if (num_build == 0) {
        return 0;
    }
    uint32_t made = 0;
    while (nested_left_ < num_left && made < batch_size_) {
        uint32_t number = left == nullptr ? nested_left_ : left[nested_left_];
        uint32_t portion = std::min(num_build - nested_build_, batch_size_ - made);
        for (uint32_t i = 0; i < portion; ++i) {
            pair_left_[made + i] = number;
            pair_build_[made + i] = build == nullptr ? nested_build_ + i : build[nested_build_ + i];
        }
        made += portion;
        nested_build_ += portion;
        if (nested_build_ == num_build) {
            nested_build_ = 0;
            ++nested_left_;
        }
    }
    return made;
}

// Keeps the pairs for which all conjuncts are true.
Result<uint32_t> JoinProbeOperator::filter_pairs(uint32_t count) {
    if (spec_.conjuncts.empty()) {
        return count;
    }
    size_t num_left = spec_.left_types.size();
    std::vector<uint32_t> left_rows(count);
    for (uint32_t i = 0; i < count; ++i) {
        left_rows[i] = input_.row_at(pair_left_[i]);
    }
    Batch pairs;
    pairs.num_rows = count;
    pairs.columns.resize(num_left + spec_.right_types.size());
    for (int slot : spec_.conjunct_slots) {
        auto at = static_cast<size_t>(slot);
        pairs.columns[at] =
            at < num_left ? gather(input_.columns[at], left_rows.data(), count)
                          : gather(build_->columns()[at - num_left], pair_build_.data(), count);
    }
    RETURN_IF_ERROR(evaluate_filter(spec_.conjuncts, pairs, eval_));
    if (pairs.selection == nullptr) {
        return count;
    }
    uint32_t kept = 0;
    for (uint16_t i : *pairs.selection) {
        pair_left_[kept] = pair_left_[i];
        pair_build_[kept] = pair_build_[i];
        ++kept;
    }
    return kept;
}

void JoinProbeOperator::mark_pairs(uint32_t count) {
    if (keeps_left_rows(spec_.type)) {
        for (uint32_t i = 0; i < count; ++i) {
            left_matched_[pair_left_[i]] = 1;
        }
    }
    if (spec_.needs_build_marks()) {
        for (uint32_t i = 0; i < count; ++i) {
            build_->mark(pair_build_[i]);
        }
    }
}

Batch JoinProbeOperator::output_pairs(uint32_t count) const {
    std::vector<uint32_t> left_rows;
    const uint32_t* left = pair_left_.data();
    if (input_.selection != nullptr) {
        left_rows.resize(count);
        for (uint32_t i = 0; i < count; ++i) {
            left_rows[i] = (*input_.selection)[pair_left_[i]];
        }
        left = left_rows.data();
    }
    Batch output;
    output.num_rows = count;
    output.columns.reserve(spec_.output_positions.size());
    for (int position : spec_.output_positions) {
        auto at = static_cast<size_t>(position);
        output.columns.push_back(
            at < spec_.left_types.size()
                ? gather(input_.columns[at], left, count)
                : gather(build_->columns()[at - spec_.left_types.size()], pair_build_.data(), count)
        );
    }
    return output;
}

// A cross join with one row (a scalar subquery) adds constants and leaves the left columns alone.
bool JoinProbeOperator::emit_single_build_row(Batch& batch) {
    if (build_->num_rows() != 1 || !spec_.conjuncts.empty() || spec_.type != JoinType::kInner) {
        return false;
    }
    batch = {};
    batch.num_rows = input_.num_rows;
    batch.selection = input_.selection;
    for (int position : spec_.output_positions) {
        auto at = static_cast<size_t>(position);
        if (at < spec_.left_types.size()) {
            batch.columns.push_back(input_.columns[at]);
        } else {
            const auto& column = build_->columns()[at - spec_.left_types.size()];
            batch.columns.push_back(Column::constant(column->flatten(column), input_.num_rows));
        }
    }
    stage_ = Stage::kIdle;
    return true;
}

bool JoinProbeOperator::emit_left_remainder(Batch& batch) {
    bool wanted = spec_.type == JoinType::kLeftSemi;
    auto selection = std::make_shared<Selection>();
    for (uint32_t row = 0; row < input_.num_selected(); ++row) {
        if ((left_matched_[row] != 0) == wanted) {
            selection->push_back(static_cast<uint16_t>(input_.row_at(row)));
        }
    }
    if (selection->empty()) {
        return false;
    }
    batch = {};
    batch.num_rows = input_.num_rows;
    batch.selection = std::move(selection);
    for (int position : spec_.output_positions) {
        auto at = static_cast<size_t>(position);
        batch.columns.push_back(
            at < spec_.left_types.size()
                ? input_.columns[at]
                : Column::all_null(
                      nullable(spec_.right_types[at - spec_.left_types.size()]), input_.num_rows
                  )
        );
    }
    return true;
}

bool JoinProbeOperator::emit_build_remainder(Batch& batch) {
    bool wanted = spec_.type == JoinType::kRightSemi;
    uint32_t count = 0;
    while (remainder_row_ < build_->num_rows() && count < batch_size_) {
        pair_build_[count] = remainder_row_;
        count += build_->is_marked(remainder_row_) == wanted ? 1 : 0;
        ++remainder_row_;
    }
    if (count == 0) {
        return false;
    }
    batch = {};
    batch.num_rows = count;
    for (int position : spec_.output_positions) {
        auto at = static_cast<size_t>(position);
        batch.columns.push_back(
            at < spec_.left_types.size()
                ? Column::all_null(nullable(spec_.left_types[at]), count)
                : gather(build_->columns()[at - spec_.left_types.size()], pair_build_.data(), count)
        );
    }
    return true;
}

void JoinProbeOperator::close() {
    input_ = {};
    held_ = {};
}

}  // namespace thetis
