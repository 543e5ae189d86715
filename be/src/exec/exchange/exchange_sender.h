// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "exec/exchange/exchange_receiver.h"
#include "exec/exchange/exchange_transport.h"
#include "exec/pipeline/exec_context.h"
#include "exec/pipeline/operator.h"
#include "expr/expression.h"

namespace thetis {

enum class ExchangeMode : uint8_t { kGather, kBroadcast, kHash, kBucket, kRoundRobin };

/// Where and how one fragment of this back end sends.
struct ExchangeSpec {
    ExchangeMode mode = ExchangeMode::kGather;
    int32_t destination_fragment = 0;
    int32_t exchange_id = 0;
    int32_t sender_id = 0;
    std::vector<ExpressionPtr> keys;
    std::vector<ExchangeAddress> destinations;
    std::vector<int32_t> bucket_owner;
};

/// The sending end of one exchange, shared by the tasks of the fragment: one channel per
/// destination, a bounded number of bytes in flight. A destination on this back end gets the
/// batches themselves. Kept alive by the callbacks in flight.
class ExchangeSender : public std::enable_shared_from_this<ExchangeSender> {
public:
    ExchangeSender(ExchangeSpec spec, ExecContext& context, int num_tasks);

    const ExchangeSpec& spec() const { return spec_; }

    /// Null when there is room.
    DependencyPtr blocked();

    /// False when every destination said that it is done.
    bool wants_more() const {
        return num_done_.load(std::memory_order_relaxed) < spec_.destinations.size();
    }

    /// The selected rows of `batch` to one destination, or to all of them.
    Status send(size_t destination, const Batch& batch);
    Status send_to_all(const Batch& batch);

    /// One task ended; the last one ends the streams.
    Status task_finished();
    /// Null when everything sent was acknowledged.
    DependencyPtr unacknowledged();
    Status status();

    /// Tells the destinations why no more will come. Idempotent.
    void fail(const Status& reason);

private:
    struct Destination {
        std::mutex mutex;  // Orders the pieces of one destination; taken before the sender's.
        std::unique_ptr<ExchangeChannel> channel;
        std::shared_ptr<ExchangeReceiver> local;
        int64_t sequence = 0;
        std::atomic<bool> done{false};
    };

    void transmit(
        size_t destination,
        std::string bytes,
        const Batch* local_batch,
        bool eos,
        const Status& status
    );
    void acknowledged(size_t destination, int64_t size_bytes, const TransmitAck& ack);
    void start_in_flight(int64_t size_bytes);

    const ExchangeSpec spec_;
    const int64_t max_bytes_;
    const int64_t backend_id_;
    const QueryId query_id_;
    std::vector<std::unique_ptr<Destination>> destinations_;
    std::atomic<size_t> num_done_{0};
    std::atomic<int> pending_tasks_;

    std::mutex mutex_;  // Guards all below; the dependencies' locks are taken inside it.
    int64_t bytes_in_flight_ = 0;
    int64_t pieces_in_flight_ = 0;
    Status status_;
    bool failed_ = false;
    const DependencyPtr writable_ = std::make_shared<Dependency>(true);
    const DependencyPtr drained_ = std::make_shared<Dependency>(true);
};

/// Routes batches to the destinations of an exchange.
class ExchangeSink final : public Sink {
public:
    ExchangeSink(std::shared_ptr<ExchangeSender> sender, EvalContext eval)
        : sender_(std::move(sender)), eval_(eval) {}

    DependencyPtr blocked() override { return sender_->blocked(); }

    bool wants_more() override { return sender_->wants_more(); }

    Status accept(Batch batch) override;
    Result<Poll> finish() override;

private:
    Status route(const Batch& batch, const std::vector<uint32_t>& destination_of_row);

    std::shared_ptr<ExchangeSender> sender_;
    EvalContext eval_;
    size_t next_destination_ = 0;
    bool finished_ = false;
};

}  // namespace thetis
