// SPDX-License-Identifier: Apache-2.0
#include "exec/window/window_operator.h"

namespace thetis {

namespace {

std::vector<DataType> types_of(const std::vector<ExpressionPtr>& expressions) {
    std::vector<DataType> types;
    for (const auto& expression : expressions) {
        types.push_back(expression->type());
    }
    return types;
}

Batch rows_of(const Batch& batch, uint32_t begin, uint32_t count) {
    Batch result;
    result.num_rows = count;
    for (const auto& column : batch.columns) {
        result.columns.push_back(slice(column, begin, count));
    }
    return result;
}

Batch all_rows(const std::vector<Batch>& batches, size_t num_columns) {
    Batch result;
    for (const auto& batch : batches) {
        result.num_rows += batch.num_rows;
    }
    for (size_t c = 0; c < num_columns; ++c) {
        std::vector<ColumnPtr> pieces;
        for (const auto& batch : batches) {
            pieces.push_back(batch.columns[c]);
        }
        result.columns.push_back(concatenate(pieces));
    }
    return result;
}

}  // namespace

WindowOperator::WindowOperator(
    std::shared_ptr<const WindowSpec> spec, EvalContext eval, uint32_t batch_size
)
    : spec_(std::move(spec)),
      eval_(eval),
      batch_size_(batch_size),
      partition_encoder_(
          types_of(spec_->partition_keys), std::vector<SortOrder>(spec_->partition_keys.size())
      ),
      order_encoder_(types_of(spec_->order_keys), spec_->orders) {}

Status WindowOperator::encode(
    const std::vector<ExpressionPtr>& keys,
    const SortKeyEncoder& encoder,
    const Batch& batch,
    SortKeys& encoded
) {
    std::vector<ColumnPtr> columns;
    for (const auto& key : keys) {
        ASSIGN_OR_RETURN(auto column, evaluate(*key, batch, eval_));
        columns.push_back(std::move(column));
    }
    encoder.encode(columns, nullptr, batch.num_rows, encoded);
    return {};
}

Status WindowOperator::accept(Batch batch) {
    if (batch.selection != nullptr) {
        batch = batch.compact();
    }
    if (spec_->partition_keys.empty()) {
        held_.push_back(std::move(batch));
        return {};
    }
    SortKeys keys;
    RETURN_IF_ERROR(encode(spec_->partition_keys, partition_encoder_, batch, keys));
    // The last partition of the batch may go on; all before it are complete.
    uint32_t boundary = batch.num_rows;
    while (boundary > 0 && keys[boundary - 1] == keys[batch.num_rows - 1]) {
        --boundary;
    }
    bool goes_on = boundary == 0 && has_open_partition_ && keys[0] == open_partition_;
    std::string last_key(keys[batch.num_rows - 1]);
    if (goes_on) {
        held_.push_back(std::move(batch));
        return {};
    }
    if (boundary > 0) {
        held_.push_back(rows_of(batch, 0, boundary));
        batch = rows_of(batch, boundary, batch.num_rows - boundary);
    }
    if (!held_.empty()) {
        RETURN_IF_ERROR(compute(all_rows(held_, spec_->input_types.size())));
    }
    held_.clear();
    held_.push_back(std::move(batch));
    open_partition_ = std::move(last_key);
    has_open_partition_ = true;
    return {};
}

Status WindowOperator::finish_input() {
    input_finished_ = true;
    if (!held_.empty()) {
        RETURN_IF_ERROR(compute(all_rows(held_, spec_->input_types.size())));
    }
    held_.clear();
    return {};
}

Status WindowOperator::compute(const Batch& input) {
    WindowRows rows;
    rows.num_rows = input.num_rows;
    SortKeys partition_keys;
    SortKeys order_keys;
    RETURN_IF_ERROR(encode(spec_->partition_keys, partition_encoder_, input, partition_keys));
    RETURN_IF_ERROR(encode(spec_->order_keys, order_encoder_, input, order_keys));
    bool has_partitions = !spec_->partition_keys.empty();
    bool has_order = !spec_->order_keys.empty();
    for (uint32_t row = 0; row < input.num_rows; ++row) {
        bool starts =
            row == 0 || (has_partitions && partition_keys[row] != partition_keys[row - 1]);
        if (starts) {
            rows.partitions.push_back(row);
        }
        if (starts || (has_order && order_keys[row] != order_keys[row - 1])) {
            rows.peers.push_back(row);
        }
    }
    rows.partitions.push_back(input.num_rows);
    rows.peers.push_back(input.num_rows);
    output_ = input;
    given_ = 0;
    for (const auto& call : spec_->calls) {
        std::vector<ColumnPtr> arguments;
        for (const auto& argument : call.arguments) {
            ASSIGN_OR_RETURN(auto column, evaluate(*argument, input, eval_));
            arguments.push_back(std::move(column));
        }
        ASSIGN_OR_RETURN(auto column, compute_window(call, rows, arguments));
        output_.columns.push_back(std::move(column));
    }
    return {};
}

Result<Poll> WindowOperator::next(Batch& batch) {
    if (given_ < output_.num_rows) {
        uint32_t count = std::min(batch_size_, output_.num_rows - given_);
        batch = rows_of(output_, given_, count);
        given_ += count;
        return Poll::batch();
    }
    output_ = {};
    given_ = 0;
    return input_finished_ ? Poll::finished() : Poll::blocked(nullptr);
}

void WindowOperator::close() {
    held_.clear();
    output_ = {};
}

}  // namespace thetis
