// SPDX-License-Identifier: Apache-2.0
#include "exec/exchange/local_exchange.h"

namespace thetis {

LocalExchange::LocalExchange(int num_producers, int num_consumers, size_t max_batches)
    : max_batches_(max_batches),
      pending_producers_(num_producers),
      pending_consumers_(num_consumers) {}

DependencyPtr LocalExchange::blocked() {
    return writable_->is_ready() ? nullptr : writable_;
}

bool LocalExchange::wants_more() {
    std::lock_guard lock(mutex_);
    return pending_consumers_ > 0;
}

void LocalExchange::put(Batch batch) {
    std::lock_guard lock(mutex_);
    if (pending_consumers_ == 0) {
        return;
    }
    batches_.push_back(std::move(batch));
    readable_->set_ready();
    if (batches_.size() >= max_batches_) {
        writable_->reset();
    }
}

void LocalExchange::producer_done() {
    std::lock_guard lock(mutex_);
    if (--pending_producers_ == 0) {
        readable_->set_ready();
    }
}

Poll LocalExchange::take(Batch& batch) {
    std::lock_guard lock(mutex_);
    if (!batches_.empty()) {
        batch = std::move(batches_.front());
        batches_.pop_front();
        if (batches_.size() < max_batches_) {
            writable_->set_ready();
        }
        return Poll::batch();
    }
    if (pending_producers_ == 0) {
        return Poll::finished();
    }
    readable_->reset();
    return Poll::blocked(readable_);
}

void LocalExchange::consumer_done() {
    std::lock_guard lock(mutex_);
    if (--pending_consumers_ == 0) {
        batches_.clear();
        writable_->set_ready();
    }
}

}  // namespace thetis
