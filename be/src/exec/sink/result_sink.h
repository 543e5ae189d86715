// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "exec/pipeline/operator.h"
#include "exec/sink/result_channel.h"

namespace thetis {

/// Encodes batches as MySQL rows into the query's result channel.
class ResultSink final : public Sink {
public:
    ResultSink(std::shared_ptr<ResultChannel> results, bool binary_rows)
        : results_(std::move(results)), binary_rows_(binary_rows) {}

    DependencyPtr blocked() override { return results_->blocked(); }

    Status accept(Batch batch) override;

    Result<Poll> finish() override { return Poll::finished(); }

private:
    std::shared_ptr<ResultChannel> results_;
    bool binary_rows_;
};

}  // namespace thetis
