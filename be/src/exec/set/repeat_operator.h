// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "exec/pipeline/operator.h"
#include "types/data_type.h"

namespace thetis {

/// GROUPING SETS: each batch once per set, with the keys absent from the set NULL and the grouping
/// id as last column.
struct RepeatSpec {
    std::vector<std::vector<int>> keep_positions;
    std::vector<int> key_positions;
    std::vector<int64_t> grouping_ids;
};

class RepeatOperator final : public Transform {
public:
    explicit RepeatOperator(std::shared_ptr<const RepeatSpec> spec) : spec_(std::move(spec)) {}

    Status accept(Batch batch) override;
    Status finish_input() override;
    Result<Poll> next(Batch& batch) override;

private:
    std::shared_ptr<const RepeatSpec> spec_;
    Batch held_;
    size_t next_set_ = SIZE_MAX;
    bool input_finished_ = false;
};

}  // namespace thetis
