// SPDX-License-Identifier: Apache-2.0
#include "exec/exchange/exchange_receiver.h"

#include "base/memory/tracker.h"
#include "column/batch_codec.h"

namespace thetis {

ExchangeReceiver::ExchangeReceiver(
    int num_senders,
    bool keep_senders_apart,
    int64_t max_bytes,
    std::shared_ptr<MemoryTracker> memory
)
    : keep_apart_(keep_senders_apart), max_bytes_(max_bytes), memory_(std::move(memory)) {
    queues_.resize(keep_senders_apart ? static_cast<size_t>(num_senders) : 1);
    for (auto& queue : queues_) {
        queue.pending_senders = keep_senders_apart ? 1 : num_senders;
    }
    ended_.resize(static_cast<size_t>(num_senders));
}

ExchangeReceiver::~ExchangeReceiver() {
    close();
}

void ExchangeReceiver::receive(TransmitPiece piece, TransmitCallback acknowledge) {
    Item item;
    item.size_bytes = static_cast<int64_t>(piece.batch.size());
    item.bytes = std::move(piece.batch);
    item.sequence = piece.sequence;
    item.acknowledge = std::move(acknowledge);
    add(piece.sender_id, std::move(item), piece.eos, piece.status);
}

void ExchangeReceiver::receive_local(
    int sender, Batch batch, bool eos, TransmitCallback acknowledge
) {
    Item item;
    item.size_bytes = batch.num_rows == 0 ? 0 : static_cast<int64_t>(batch.memory_bytes());
    item.batch = std::move(batch);
    item.acknowledge = std::move(acknowledge);
    add(sender, std::move(item), eos, {});
}

void ExchangeReceiver::add(int sender, Item item, bool eos, const Status& status) {
    std::vector<std::pair<TransmitCallback, TransmitAck>> acks;
    {
        std::lock_guard lock(mutex_);
        auto number = static_cast<size_t>(sender);
        if (sender < 0 || number >= ended_.size()) {
            auto bad = Status::error(
                ErrorCode::kInvalidArgument, "exchange piece from unknown sender {}", sender
            );
            acks.emplace_back(std::move(item.acknowledge), TransmitAck{bad, item.sequence, false});
        } else if (closed_) {
            acks.emplace_back(std::move(item.acknowledge), TransmitAck{{}, item.sequence, true});
        } else {
            Queue& queue = queues_[keep_apart_ ? number : 0];
            if (!status.ok() && failure_.ok()) {
                failure_ = status;
            }
            bool has_content = !item.bytes.empty() || item.batch.num_rows > 0;
            if (has_content) {
                held_bytes_ += item.size_bytes;
                memory_->consume(item.size_bytes);
                queue.items.push_back(std::move(item));
            } else if (item.acknowledge) {
                acks.emplace_back(
                    std::move(item.acknowledge), TransmitAck{{}, item.sequence, false}
                );
            }
            if (eos && !ended_[number]) {
                ended_[number] = true;
                --queue.pending_senders;
            }
            if (!failure_.ok()) {
                for (auto& each : queues_) {
                    each.readable->set_ready();
                }
            } else {
                queue.readable->set_ready();
            }
            collect_acks_locked(acks);
        }
    }
    for (auto& [callback, ack] : acks) {
        callback(ack);
    }
}

// Pieces within the budget are acknowledged as soon as they are queued, the others when enough was
// taken.
void ExchangeReceiver::collect_acks_locked(
    std::vector<std::pair<TransmitCallback, TransmitAck>>& acks
) {
    int64_t in_front = 0;
    for (auto& queue : queues_) {
        // A merging reader may wait for one sender while others fill the budget: each queue gets a
        // share of its own.
        int64_t budget =
            keep_apart_ ? max_bytes_ / static_cast<int64_t>(queues_.size()) : max_bytes_;
        in_front = 0;
        for (auto& item : queue.items) {
            in_front += item.size_bytes;
            if (in_front > budget && &item != &queue.items.front()) {
                break;
            }
            if (item.acknowledge) {
                acks.emplace_back(
                    std::move(item.acknowledge), TransmitAck{{}, item.sequence, false}
                );
                item.acknowledge = nullptr;
            }
        }
    }
}

Result<Poll> ExchangeReceiver::take(size_t number, Batch& batch) {
    std::vector<std::pair<TransmitCallback, TransmitAck>> acks;
    Item item;
    {
        std::lock_guard lock(mutex_);
        if (!failure_.ok()) {
            return failure_;
        }
        Queue& queue = queues_[number];
        if (queue.items.empty()) {
            if (queue.pending_senders == 0 || closed_) {
                return Poll::finished();
            }
            queue.readable->reset();
            return Poll::blocked(queue.readable);
        }
        item = std::move(queue.items.front());
        queue.items.pop_front();
        held_bytes_ -= item.size_bytes;
        memory_->release(item.size_bytes);
        collect_acks_locked(acks);
        if (item.acknowledge) {
            acks.emplace_back(std::move(item.acknowledge), TransmitAck{{}, item.sequence, false});
        }
    }
    for (auto& [callback, ack] : acks) {
        callback(ack);
    }
    if (item.bytes.empty()) {
        batch = std::move(item.batch);
    } else {
        ASSIGN_OR_RETURN(batch, decode_batch(item.bytes));
    }
    return Poll::batch();
}

void ExchangeReceiver::close() {
    std::vector<std::pair<TransmitCallback, TransmitAck>> acks;
    {
        std::lock_guard lock(mutex_);
        if (closed_) {
            return;
        }
        closed_ = true;
        for (auto& queue : queues_) {
            for (auto& item : queue.items) {
                if (item.acknowledge) {
                    acks.emplace_back(
                        std::move(item.acknowledge), TransmitAck{{}, item.sequence, true}
                    );
                }
            }
            queue.items.clear();
            queue.readable->set_ready();
        }
        memory_->release(held_bytes_);
        held_bytes_ = 0;
    }
    for (auto& [callback, ack] : acks) {
        callback(ack);
    }
}

void ExchangeRegistry::add(
    int32_t fragment_id, int32_t exchange_id, std::shared_ptr<ExchangeReceiver> receiver
) {
    std::lock_guard lock(mutex_);
    receivers_[{fragment_id, exchange_id}] = std::move(receiver);
}

std::shared_ptr<ExchangeReceiver> ExchangeRegistry::find(int32_t fragment_id, int32_t exchange_id)
    const {
    std::lock_guard lock(mutex_);
    auto found = receivers_.find({fragment_id, exchange_id});
    return found == receivers_.end() ? nullptr : found->second;
}

size_t ExchangeRegistry::size() const {
    std::lock_guard lock(mutex_);
    return receivers_.size();
}

void ExchangeRegistry::close_all() {
    std::map<std::pair<int32_t, int32_t>, std::shared_ptr<ExchangeReceiver>> receivers;
    {
        std::lock_guard lock(mutex_);
        receivers = receivers_;
    }
    for (auto& [key, receiver] : receivers) {
        receiver->close();
    }
}

}  // namespace thetis
