// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "exec/pipeline/operator.h"
#include "exec/window/window_spec.h"

namespace thetis {

/// Window functions over input that comes sorted by partition and order keys, in one task. Holds
/// the rows of the partition that is still open; complete partitions are computed together and
/// given out with one column per call appended.
class WindowOperator final : public Transform {
public:
    WindowOperator(std::shared_ptr<const WindowSpec> spec, EvalContext eval, uint32_t batch_size);

    Status accept(Batch batch) override;
    Status finish_input() override;
    Result<Poll> next(Batch& batch) override;
    void close() override;

private:
    Status encode(
        const std::vector<ExpressionPtr>& keys,
        const SortKeyEncoder& encoder,
        const Batch& batch,
        SortKeys& encoded
    );
    /// Computes all calls over whole partitions and makes them the output.
    Status compute(const Batch& rows);

    std::shared_ptr<const WindowSpec> spec_;
    EvalContext eval_;
    uint32_t batch_size_;
    SortKeyEncoder partition_encoder_;
    SortKeyEncoder order_encoder_;
    std::vector<Batch> held_;     // Rows of the open partition, dense.
    std::string open_partition_;  // Its key.
    bool has_open_partition_ = false;
    Batch output_;  // Computed rows, of any number.
    uint32_t given_ = 0;
    bool input_finished_ = false;
};

}  // namespace thetis
