// SPDX-License-Identifier: Apache-2.0
#include "exec/set/repeat_operator.h"

#include "column/scalar.h"

namespace thetis {

Status RepeatOperator::accept(Batch batch) {
    held_ = std::move(batch);
    next_set_ = 0;
    return {};
}

Status RepeatOperator::finish_input() {
    input_finished_ = true;
    return {};
}

Result<Poll> RepeatOperator::next(Batch& batch) {
    if (next_set_ >= spec_->keep_positions.size()) {
        held_ = {};
        return input_finished_ ? Poll::finished() : Poll::blocked(nullptr);
    }
    batch = held_;
    const auto& keep = spec_->keep_positions[next_set_];
    for (int key : spec_->key_positions) {
        if (std::find(keep.begin(), keep.end(), key) == keep.end()) {
            auto& column = batch.columns[static_cast<size_t>(key)];
            DataType type = column->type();
            type.nullable = true;
            column = Column::all_null(type, batch.num_rows);
        }
    }
    auto id = Scalar::integer(DataType::of(TypeId::kBigint, false), spec_->grouping_ids[next_set_])
                  .to_column();
    batch.columns.push_back(Column::constant(std::move(id), batch.num_rows));
    ++next_set_;
    return Poll::batch();
}

}  // namespace thetis
