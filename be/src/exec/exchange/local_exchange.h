// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>
#include <mutex>

#include "exec/pipeline/operator.h"

namespace thetis {

/// A bounded queue of batches between two pipelines of one fragment: many tasks put, one or more
/// take. Never serialises.
class LocalExchange {
public:
    LocalExchange(int num_producers, int num_consumers, size_t max_batches);

    DependencyPtr blocked();
    bool wants_more();
    void put(Batch batch);
    void producer_done();
    Poll take(Batch& batch);
    void consumer_done();

private:
    const size_t max_batches_;
    const DependencyPtr writable_ = std::make_shared<Dependency>(true);
    const DependencyPtr readable_ = std::make_shared<Dependency>();
    std::mutex mutex_;  // Guards all below; the dependencies' locks are taken inside it.
    int pending_producers_;
    int pending_consumers_;
    std::deque<Batch> batches_;
};

class LocalExchangeSink final : public Sink {
public:
    explicit LocalExchangeSink(std::shared_ptr<LocalExchange> exchange)
        : exchange_(std::move(exchange)) {}

    DependencyPtr blocked() override { return exchange_->blocked(); }

    bool wants_more() override { return exchange_->wants_more(); }

    Status accept(Batch batch) override {
        exchange_->put(std::move(batch));
        return {};
    }

    Result<Poll> finish() override {
        exchange_->producer_done();
        return Poll::finished();
    }

private:
    std::shared_ptr<LocalExchange> exchange_;
};

class LocalExchangeSource final : public Source {
public:
    explicit LocalExchangeSource(std::shared_ptr<LocalExchange> exchange)
        : exchange_(std::move(exchange)) {}

    Result<Poll> next(Batch& batch) override { return exchange_->take(batch); }

    void close() override {
        if (!closed_) {
            closed_ = true;
            exchange_->consumer_done();
        }
    }

private:
    std::shared_ptr<LocalExchange> exchange_;
    bool closed_ = false;
};

}  // namespace thetis
