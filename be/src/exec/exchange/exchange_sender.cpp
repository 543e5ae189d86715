// SPDX-License-Identifier: Apache-2.0
#include "exec/exchange/exchange_sender.h"

#include "column/batch_codec.h"
#include "column/bucket_hash.h"
#include "column/hashing.h"

namespace thetis {

ExchangeSender::ExchangeSender(ExchangeSpec spec, ExecContext& context, int num_tasks)
    : spec_(std::move(spec)),
      max_bytes_(context.services.exchange_buffer_bytes),
      backend_id_(context.backend_id),
      query_id_(context.query_id),
      pending_tasks_(num_tasks) {
    for (const auto& address : spec_.destinations) {
        auto destination = std::make_unique<Destination>();
        if (address.backend_id == backend_id_) {
            destination->local =
                context.exchanges->find(spec_.destination_fragment, spec_.exchange_id);
        }
        destinations_.push_back(std::move(destination));
    }
    for (size_t i = 0; i < destinations_.size(); ++i) {
        if (destinations_[i]->local == nullptr && context.services.transport != nullptr) {
            destinations_[i]->channel = context.services.transport->open(spec_.destinations[i]);
        }
    }
}

DependencyPtr ExchangeSender::blocked() {
    return writable_->is_ready() ? nullptr : writable_;
}

DependencyPtr ExchangeSender::unacknowledged() {
    return drained_->is_ready() ? nullptr : drained_;
}

Status ExchangeSender::status() {
    std::lock_guard lock(mutex_);
    return status_;
}

void ExchangeSender::start_in_flight(int64_t size_bytes) {
    std::lock_guard lock(mutex_);
    bytes_in_flight_ += size_bytes;
    ++pieces_in_flight_;
    drained_->reset();
    if (bytes_in_flight_ > max_bytes_) {
        writable_->reset();
    }
}

void ExchangeSender::acknowledged(size_t number, int64_t size_bytes, const TransmitAck& ack) {
    if (ack.receiver_done &&
        !destinations_[number]->done.exchange(true, std::memory_order_relaxed)) {
        num_done_.fetch_add(1, std::memory_order_relaxed);
    }
    std::lock_guard lock(mutex_);
    bytes_in_flight_ -= size_bytes;
    --pieces_in_flight_;
    if (!ack.status.ok() && status_.ok()) {
        // The tasks find it at their next step: they are awake or woken here.
        status_ = ack.status.with_context("exchange to {}", spec_.destinations[number].host);
    }
    if (bytes_in_flight_ <= max_bytes_ || !status_.ok()) {
        writable_->set_ready();
    }
    if (pieces_in_flight_ == 0 || !status_.ok()) {
        drained_->set_ready();
    }
}

void ExchangeSender::transmit(
    size_t number, std::string bytes, const Batch* local_batch, bool eos, const Status& status
) {
    Destination& destination = *destinations_[number];
    if (destination.done.load(std::memory_order_relaxed)) {
        return;
    }
    auto size_bytes =
        static_cast<int64_t>(local_batch != nullptr ? local_batch->memory_bytes() : bytes.size());
    start_in_flight(size_bytes);
    auto callback = [self = shared_from_this(), number, size_bytes](const TransmitAck& ack) {
        self->acknowledged(number, size_bytes, ack);
    };
    std::lock_guard lock(destination.mutex);
    if (destination.local != nullptr) {
        if (!status.ok()) {
            // A local receiver belongs to the same query, which fails as a whole.
            callback({});
            return;
        }
        destination.local->receive_local(
            spec_.sender_id,
            local_batch == nullptr ? Batch{} : *local_batch,
            eos,
            std::move(callback)
        );
        return;
    }
    if (destination.channel == nullptr) {
        callback(
            {Status(ErrorCode::kInternal, "no transport for exchanges between back ends"), 0, false}
        );
        return;
    }
    TransmitPiece piece;
    piece.query_id = query_id_;
    piece.fragment_id = spec_.destination_fragment;
    piece.exchange_id = spec_.exchange_id;
    piece.sender_id = spec_.sender_id;
    piece.sequence = destination.sequence++;
    piece.batch = std::move(bytes);
    piece.eos = eos;
    piece.status = status;
    destination.channel->send(std::move(piece), std::move(callback));
}

Status ExchangeSender::send(size_t number, const Batch& batch) {
    if (destinations_[number]->local != nullptr) {
        Batch dense = batch.selection == nullptr ? batch : batch.compact();
        transmit(number, {}, &dense, false, {});
        return {};
    }
    std::string bytes;
    encode_batch(batch, true, bytes);
    transmit(number, std::move(bytes), nullptr, false, {});
    return {};
}

Status ExchangeSender::send_to_all(const Batch& batch) {
    Batch dense = batch.selection == nullptr ? batch : batch.compact();
    std::string bytes;
    for (size_t i = 0; i < destinations_.size(); ++i) {
        if (destinations_[i]->local != nullptr) {
            transmit(i, {}, &dense, false, {});
            continue;
        }
        if (bytes.empty()) {
            encode_batch(dense, true, bytes);
        }
        transmit(i, bytes, nullptr, false, {});
    }
    return {};
}

Status ExchangeSender::task_finished() {
    // The last task; acquire-release so that all pieces were given before the end.
    if (pending_tasks_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        for (size_t i = 0; i < destinations_.size(); ++i) {
            transmit(i, {}, nullptr, true, {});
        }
    }
    return {};
}

void ExchangeSender::fail(const Status& reason) {
    {
        std::lock_guard lock(mutex_);
        if (failed_) {
            return;
        }
        failed_ = true;
    }
    if (pending_tasks_.load(std::memory_order_acquire) <= 0) {
        return;
    }
    for (size_t i = 0; i < destinations_.size(); ++i) {
        transmit(i, {}, nullptr, true, reason);
    }
}

Status ExchangeSink::accept(Batch batch) {
    RETURN_IF_ERROR(sender_->status());
    const ExchangeSpec& spec = sender_->spec();
    size_t num_destinations = spec.destinations.size();
    switch (spec.mode) {
        case ExchangeMode::kGather:
            return sender_->send(0, batch);
        case ExchangeMode::kBroadcast:
            return sender_->send_to_all(batch);
        case ExchangeMode::kRoundRobin:
            next_destination_ = (next_destination_ + 1) % num_destinations;
            return sender_->send(next_destination_, batch);
        default:
            break;
    }
    if (num_destinations == 1) {
        return sender_->send(0, batch);
    }
    std::vector<ColumnPtr> keys;
    for (const auto& key : spec.keys) {
        ASSIGN_OR_RETURN(auto column, evaluate(*key, batch, eval_));
        keys.push_back(std::move(column));
    }
    uint32_t count = batch.num_selected();
    std::vector<uint32_t> destination(count);
    if (spec.mode == ExchangeMode::kHash) {
        std::vector<uint64_t> hashes(count);
        hash_rows(keys, batch.selection.get(), count, hashes.data());
        for (uint32_t i = 0; i < count; ++i) {
            // The upper half: the lower bits number slots of hash tables at the destination.
            destination[i] = static_cast<uint32_t>((hashes[i] >> 32) % num_destinations);
        }
    } else {
        std::vector<uint32_t> hashes(batch.num_rows);
        bucket_hash(keys, batch.num_rows, hashes.data());
        for (uint32_t i = 0; i < count; ++i) {
            destination[i] = static_cast<uint32_t>(
                spec.bucket_owner[hashes[batch.row_at(i)] % spec.bucket_owner.size()]
            );
        }
    }
    return route(batch, destination);
}

Status ExchangeSink::route(const Batch& batch, const std::vector<uint32_t>& destination_of_row) {
    size_t num_destinations = sender_->spec().destinations.size();
    std::vector<std::shared_ptr<Selection>> selections(num_destinations);
    for (auto& selection : selections) {
        selection = std::make_shared<Selection>();
    }
    for (uint32_t i = 0; i < destination_of_row.size(); ++i) {
        selections[destination_of_row[i]]->push_back(static_cast<uint16_t>(batch.row_at(i)));
    }
    for (size_t d = 0; d < num_destinations; ++d) {
        if (!selections[d]->empty()) {
            Batch part = batch;
            part.selection = selections[d];
            RETURN_IF_ERROR(sender_->send(d, part));
        }
    }
    return {};
}

Result<Poll> ExchangeSink::finish() {
    if (!finished_) {
        finished_ = true;
        RETURN_IF_ERROR(sender_->task_finished());
    }
    RETURN_IF_ERROR(sender_->status());
    if (auto dependency = sender_->unacknowledged()) {
        return Poll::blocked(std::move(dependency));
    }
    return Poll::finished();
}

}  // namespace thetis
