// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "exec/pipeline/operator.h"
#include "types/data_type.h"

namespace thetis {

/// Rows still to skip and to give, shared by the tasks of a pipeline.
struct LimitState {
    LimitState(int64_t row_limit, int64_t row_offset) : limit(row_limit), offset(row_offset) {}

    const int64_t limit;  ///< Negative: none.
    const int64_t offset;
    std::atomic<int64_t> seen{0};
};

/// LIMIT and OFFSET. Ends its task as soon as enough was given, and with it everything before.
class LimitOperator final : public Transform {
public:
    explicit LimitOperator(std::shared_ptr<LimitState> state) : state_(std::move(state)) {}

    Status accept(Batch batch) override;
    Status finish_input() override;
    Result<Poll> next(Batch& batch) override;

private:
    std::shared_ptr<LimitState> state_;
    Batch held_;
    bool input_finished_ = false;
};

/// Fails past `max_rows` rows; adds one row of NULLs to an empty input when asked to. Runs in a
/// single task.
class AssertRowsOperator final : public Transform {
public:
    AssertRowsOperator(
        int64_t max_rows, bool pad_empty, std::string message, std::vector<DataType> types
    )
        : max_rows_(max_rows),
          pad_empty_(pad_empty),
          message_(std::move(message)),
          types_(std::move(types)) {}

    Status accept(Batch batch) override;
    Status finish_input() override;
    Result<Poll> next(Batch& batch) override;

private:
    int64_t max_rows_;
    bool pad_empty_;
    std::string message_;
    std::vector<DataType> types_;
    int64_t seen_ = 0;
    Batch held_;
    bool input_finished_ = false;
};

}  // namespace thetis
