// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "exec/pipeline/exec_context.h"
#include "exec/pipeline/operator.h"
#include "exec/scan/row_source.h"

namespace thetis {

/// Gives batches made when the plan was built: literal rows, or none.
class ValuesSource final : public Source {
public:
    explicit ValuesSource(std::vector<Batch> batches) : batches_(std::move(batches)) {}

    Result<Poll> next(Batch& batch) override;

private:
    std::vector<Batch> batches_;
    size_t next_ = 0;
};

/// `numbers("number"="n")`: one BIGINT column 0 .. n-1, cut between tasks by batches.
class NumbersSource final : public Source {
public:
    NumbersSource(int64_t count, uint32_t batch_size, std::shared_ptr<std::atomic<int64_t>> next)
        : count_(count), batch_size_(batch_size), next_(std::move(next)) {}

    Result<Poll> next(Batch& batch) override;

private:
    int64_t count_;
    uint32_t batch_size_;
    std::shared_ptr<std::atomic<int64_t>> next_;
};

/// The rows of a load body.
class StreamScanSource final : public Source {
public:
    explicit StreamScanSource(std::shared_ptr<RowSource> rows) : rows_(std::move(rows)) {}

    Result<Poll> next(Batch& batch) override { return rows_->next(batch); }

    void close() override { rows_->close(); }

private:
    std::shared_ptr<RowSource> rows_;
};

}  // namespace thetis
