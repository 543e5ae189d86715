// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "column/builder.h"
#include "column/sort_key.h"
#include "exec/exchange/exchange_receiver.h"
#include "exec/pipeline/operator.h"
#include "exec/sort/sort_state.h"

namespace thetis {

/// A receiver and the tasks that still read it: the last to close it tells the senders to stop.
struct SharedReceiver {
    SharedReceiver(std::shared_ptr<ExchangeReceiver> of, int num_readers)
        : receiver(std::move(of)), pending_readers(num_readers) {}

    std::shared_ptr<ExchangeReceiver> receiver;
    std::atomic<int> pending_readers;
};

/// Batches of all senders in the order they come; shared by the tasks of the pipeline.
class ExchangeSource final : public Source {
public:
    explicit ExchangeSource(std::shared_ptr<SharedReceiver> shared) : shared_(std::move(shared)) {}

    Result<Poll> next(Batch& batch) override { return shared_->receiver->take(0, batch); }

    void close() override;

private:
    std::shared_ptr<SharedReceiver> shared_;
    bool closed_ = false;
};

/// Merges senders that send sorted batches. One task only.
class MergingExchangeSource final : public Source {
public:
    MergingExchangeSource(
        std::shared_ptr<SharedReceiver> shared,
        std::shared_ptr<const SortSpec> spec,
        EvalContext eval,
        uint32_t batch_size
    );
    Result<Poll> next(Batch& batch) override;
    void close() override;

private:
    struct Head {
        Batch batch;
        SortKeys keys;
        uint32_t row = 0;
        bool ended = false;
    };

    // Loads empty heads; a dependency when one must be waited for.
    Result<DependencyPtr> refill();
    Status load(Head& head, Batch batch);
    void append_run(size_t head, uint32_t begin, uint32_t count);
    bool emit(Batch& batch);

    std::shared_ptr<SharedReceiver> shared_;
    std::shared_ptr<const SortSpec> spec_;
    EvalContext eval_;
    uint32_t batch_size_;
    SortKeyEncoder encoder_;
    std::vector<Head> heads_;
    std::vector<ColumnBuilder> builders_;
    int64_t to_skip_;
    int64_t to_give_;
    bool closed_ = false;
};

}  // namespace thetis
