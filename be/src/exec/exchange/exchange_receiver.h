// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "column/batch.h"
#include "exec/exchange/exchange_transport.h"
#include "exec/pipeline/operator.h"

namespace thetis {

class MemoryTracker;

/// The receiving end of one exchange on this back end: pieces of remote senders (still encoded) and
/// batches of local ones, in bounded bytes. A piece is acknowledged when it fits the budget, so
/// senders slow down with the reader. Thread-safe.
class ExchangeReceiver {
public:
    /// `keep_senders_apart`: for merging; batches are then taken per sender.
    ExchangeReceiver(
        int num_senders,
        bool keep_senders_apart,
        int64_t max_bytes,
        std::shared_ptr<MemoryTracker> memory
    );
    ~ExchangeReceiver();

    /// One piece; `acknowledge` is called once, now or when there is room.
    void receive(TransmitPiece piece, TransmitCallback acknowledge);
    /// A sender of this process: the batch as it is.
    void receive_local(int sender, Batch batch, bool eos, TransmitCallback acknowledge);

    /// Any sender's next batch (queue 0), or sender `queue`'s when kept apart. kFinished when it
    /// ended. A sender's failure comes out as an error.
    Result<Poll> take(size_t queue, Batch& batch);

    size_t num_queues() const { return queues_.size(); }

    /// Nothing more is wanted: drops what is held, answers everybody with receiver_done.
    /// Idempotent.
    void close();

private:
    struct Item {
        std::string bytes;
        Batch batch;
        int64_t size_bytes = 0;
        int64_t sequence = 0;
        TransmitCallback acknowledge;  // Empty when done already.
    };

    struct Queue {
        std::deque<Item> items;
        int pending_senders = 0;
        DependencyPtr readable = std::make_shared<Dependency>();
    };

    void add(int sender, Item item, bool eos, const Status& status);
    // What fits now; the caller runs the callbacks outside the lock.
    void collect_acks_locked(std::vector<std::pair<TransmitCallback, TransmitAck>>& acks);

    const bool keep_apart_;
    const int64_t max_bytes_;
    const std::shared_ptr<MemoryTracker> memory_;
    std::mutex mutex_;  // Guards all below. Callbacks run outside of it; dependencies' locks are
                        // taken inside it.
    std::vector<Queue> queues_;
    std::vector<bool> ended_;
    int64_t held_bytes_ = 0;
    Status failure_;
    bool closed_ = false;
};

/// Receivers of one query by (fragment, exchange). Filled while the plan is built. Thread-safe.
class ExchangeRegistry {
public:
    void add(int32_t fragment_id, int32_t exchange_id, std::shared_ptr<ExchangeReceiver> receiver);
    std::shared_ptr<ExchangeReceiver> find(int32_t fragment_id, int32_t exchange_id) const;
    size_t size() const;
    void close_all();

private:
    mutable std::mutex mutex_;  // Guards receivers_.
    std::map<std::pair<int32_t, int32_t>, std::shared_ptr<ExchangeReceiver>> receivers_;
};

}  // namespace thetis
