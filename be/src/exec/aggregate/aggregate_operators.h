// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "exec/aggregate/aggregate_table.h"
#include "exec/pipeline/operator.h"
#include "exec/pipeline/profile.h"

namespace thetis {

/// Joins the two halves of a blocking aggregation: tables of the tasks that filled them, then
/// partitions for the tasks that merge them and give results.
class AggregateState {
public:
    AggregateState(std::shared_ptr<const AggregateSpec> spec, int num_sinks, uint32_t batch_size)
        : spec_(std::move(spec)), batch_size_(batch_size), pending_sinks_(num_sinks) {}

    const std::shared_ptr<const AggregateSpec>& spec() const { return spec_; }

    uint32_t batch_size() const { return batch_size_; }

    /// Ready when all tables are in.
    const DependencyPtr& ready() const { return ready_; }

    /// A task's input ended.
    void add_table(std::unique_ptr<AggregateTable> table);

    /// The next partition, merged, and the range of its groups to give out; null at the end. After
    /// ready() only.
    struct Piece {
        std::shared_ptr<const AggregateTable> table;
        uint32_t begin = 0;
        uint32_t end = 0;
    };

    Result<Piece> next_piece(const EvalContext& eval);

private:
    static constexpr uint32_t kPartitionFromGroups = 8 * 1024;
    static constexpr int kPartitionBits = 6;
    static constexpr uint32_t kRangeGroups = 32 * 1024;

    struct Run {
        std::unique_ptr<AggregateTable> table;
        std::vector<uint32_t> groups;
        std::vector<uint32_t> begins;
    };

    void seal();

    const std::shared_ptr<const AggregateSpec> spec_;
    const uint32_t batch_size_;
    const DependencyPtr ready_ = std::make_shared<Dependency>();
    std::mutex mutex_;  // Guards runs_ and pending_sinks_ until ready.
    int pending_sinks_;
    std::vector<Run> runs_;
    int partition_bits_ = 0;
    std::shared_ptr<const AggregateTable> single_;  // The only table: nothing to merge.
    std::atomic<uint32_t> next_{0};
};

class AggregateSink final : public Sink {
public:
    AggregateSink(std::shared_ptr<AggregateState> state, EvalContext eval)
        : state_(std::move(state)),
          table_(std::make_unique<AggregateTable>(state_->spec(), eval)) {}

    Status accept(Batch batch) override { return table_->add(batch); }

    Result<Poll> finish() override;

    void close() override { table_.reset(); }

private:
    std::shared_ptr<AggregateState> state_;
    std::unique_ptr<AggregateTable> table_;
};

class AggregateSource final : public Source {
public:
    AggregateSource(
        std::shared_ptr<AggregateState> state, EvalContext eval, OperatorProfile* profile
    )
        : state_(std::move(state)), eval_(eval), profile_(profile) {}

    Result<Poll> next(Batch& batch) override;

    void close() override { piece_ = {}; }

private:
    std::shared_ptr<AggregateState> state_;
    EvalContext eval_;
    OperatorProfile* profile_;
    AggregateState::Piece piece_;
};

/// PARTIAL: groups what it can in a bounded table and passes states on; when grouping does not
/// shrink the input, rows pass with a state each.
class PartialAggregateOperator final : public Transform {
public:
    PartialAggregateOperator(
        std::shared_ptr<const AggregateSpec> spec, EvalContext eval, uint32_t batch_size
    )
        : spec_(std::move(spec)), eval_(eval), batch_size_(batch_size), table_(spec_, eval) {}

    Status accept(Batch batch) override;
    Status finish_input() override;
    Result<Poll> next(Batch& batch) override;

private:
    static constexpr uint32_t kMaxGroups = 64 * 1024;
    static constexpr double kPoorReduction = 0.7;
    static constexpr int64_t kBypassRows = 4'000'000;  // Then grouping is tried again.

    std::shared_ptr<const AggregateSpec> spec_;
    EvalContext eval_;
    uint32_t batch_size_;
    AggregateTable table_;
    Batch passed_;
    bool flushing_ = false;
    uint32_t flushed_ = 0;
    int64_t bypass_rows_left_ = 0;
    bool input_finished_ = false;
};

}  // namespace thetis
