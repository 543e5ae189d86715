// SPDX-License-Identifier: Apache-2.0
#include "exec/exchange/exchange_source.h"

namespace thetis {

namespace {

std::vector<DataType> types_of(const std::vector<ExpressionPtr>& expressions) {
    std::vector<DataType> types;
    for (const auto& expression : expressions) {
        types.push_back(expression->type());
    }
    return types;
}

void close_reader(SharedReceiver& shared, bool& closed) {
    if (!closed) {
        closed = true;
        if (shared.pending_readers.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            shared.receiver->close();
        }
    }
}

}  // namespace

void ExchangeSource::close() {
    close_reader(*shared_, closed_);
}

MergingExchangeSource::MergingExchangeSource(
    std::shared_ptr<SharedReceiver> shared,
    std::shared_ptr<const SortSpec> spec,
    EvalContext eval,
    uint32_t batch_size
)
    : shared_(std::move(shared)),
      spec_(std::move(spec)),
      eval_(eval),
      batch_size_(batch_size),
      encoder_(types_of(spec_->keys), spec_->orders),
      heads_(shared_->receiver->num_queues()),
      builders_(make_builders(spec_->types, batch_size)),
      to_skip_(spec_->offset),
      to_give_(spec_->limit) {}

void MergingExchangeSource::close() {
    heads_.clear();
    close_reader(*shared_, closed_);
}

Status MergingExchangeSource::load(Head& head, Batch batch) {
    head.batch = batch.selection == nullptr ? std::move(batch) : batch.compact();
    head.row = 0;
    head.keys.clear();
    std::vector<ColumnPtr> keys;
    for (const auto& key : spec_->keys) {
        ASSIGN_OR_RETURN(auto column, evaluate(*key, head.batch, eval_));
        keys.push_back(std::move(column));
    }
    encoder_.encode(keys, nullptr, head.batch.num_rows, head.keys);
    return {};
}

Result<DependencyPtr> MergingExchangeSource::refill() {
    for (size_t i = 0; i < heads_.size(); ++i) {
        Head& head = heads_[i];
        while (!head.ended && head.row >= head.batch.num_rows) {
            Batch batch;
            ASSIGN_OR_RETURN(Poll poll, shared_->receiver->take(i, batch));
            if (poll.kind == Poll::Kind::kBlocked) {
                return poll.dependency;
            }
            if (poll.kind == Poll::Kind::kFinished) {
                head.ended = true;
                break;
            }
            RETURN_IF_ERROR(load(head, std::move(batch)));
        }
    }
    return DependencyPtr();
}

void MergingExchangeSource::append_run(size_t number, uint32_t begin, uint32_t count) {
    for (size_t c = 0; c < builders_.size(); ++c) {
        builders_[c].append_from(*heads_[number].batch.columns[c], begin, count);
    }
}

bool MergingExchangeSource::emit(Batch& batch) {
    if (builders_.empty() || builders_[0].size() == 0) {
        return false;
    }
    batch = finish_batch(builders_);
    return true;
}

Result<Poll> MergingExchangeSource::next(Batch& batch) {
    while (to_give_ != 0 && (builders_.empty() || builders_[0].size() < batch_size_)) {
        ASSIGN_OR_RETURN(auto dependency, refill());
        if (dependency != nullptr) {
            // Nothing can be ordered until that sender speaks; what is merged already may go.
            return emit(batch) ? Poll::batch() : Poll::blocked(std::move(dependency));
        }
        size_t best = heads_.size();
        for (size_t i = 0; i < heads_.size(); ++i) {
            if (!heads_[i].ended &&
                (best == heads_.size() ||
                 heads_[i].keys[heads_[i].row] < heads_[best].keys[heads_[best].row])) {
                best = i;
            }
        }
        if (best == heads_.size()) {
            break;
        }
        if (to_skip_ > 0) {
            --to_skip_;
        } else {
            append_run(best, heads_[best].row, 1);
            to_give_ -= to_give_ > 0 ? 1 : 0;
        }
        ++heads_[best].row;
    }
    return emit(batch) ? Poll::batch() : Poll::finished();
}

}  // namespace thetis
