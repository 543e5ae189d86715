// SPDX-License-Identifier: Apache-2.0
#include "exec/set/row_limits.h"

namespace thetis {

Status LimitOperator::accept(Batch batch) {
    int64_t count = batch.num_selected();
    int64_t before = state_->seen.fetch_add(count, std::memory_order_relaxed);
    int64_t begin = std::clamp<int64_t>(state_->offset - before, 0, count);
    int64_t end = count;
    if (state_->limit >= 0) {
        end = std::clamp<int64_t>(state_->offset + state_->limit - before, begin, count);
    }
    if (begin == 0 && end == count) {
        held_ = std::move(batch);
        return {};
    }
    auto selection = std::make_shared<Selection>();
    selection->reserve(static_cast<size_t>(end - begin));
    for (int64_t i = begin; i < end; ++i) {
        selection->push_back(static_cast<uint16_t>(batch.row_at(static_cast<uint32_t>(i))));
    }
    batch.selection = std::move(selection);
    held_ = std::move(batch);
    return {};
}

Status LimitOperator::finish_input() {
    input_finished_ = true;
    return {};
}

Result<Poll> LimitOperator::next(Batch& batch) {
    if (!held_.empty()) {
        batch = std::move(held_);
        held_ = {};
        return Poll::batch();
    }
    held_ = {};
    bool enough = state_->limit >= 0 &&
                  state_->seen.load(std::memory_order_relaxed) >= state_->limit + state_->offset;
    return enough || input_finished_ ? Poll::finished() : Poll::blocked(nullptr);
}

Status AssertRowsOperator::accept(Batch batch) {
    seen_ += batch.num_selected();
    if (seen_ > max_rows_) {
        return Status(
            ErrorCode::kSubqueryRows,
            message_.empty()
                ? fmt::format(
                      "Subquery returns more than {} row{}", max_rows_, max_rows_ == 1 ? "" : "s"
                  )
                : message_
        );
    }
    held_ = std::move(batch);
    return {};
}

Status AssertRowsOperator::finish_input() {
    input_finished_ = true;
    if (seen_ == 0 && pad_empty_) {
        held_.num_rows = 1;
        for (const auto& type : types_) {
            held_.columns.push_back(Column::all_null(type, 1));
        }
    }
    return {};
}

Result<Poll> AssertRowsOperator::next(Batch& batch) {
    if (!held_.empty()) {
        batch = std::move(held_);
        held_ = {};
        return Poll::batch();
    }
    return input_finished_ ? Poll::finished() : Poll::blocked(nullptr);
}

}  // namespace thetis
