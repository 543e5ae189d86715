// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "exec/filter/runtime_filter.h"
#include "exec/hash/join_table.h"
#include "exec/join/join_spec.h"
#include "exec/pipeline/operator.h"
#include "exec/pipeline/profile.h"

namespace thetis {

/// The build side of one join: rows of all build tasks, then one table that all probe tasks read.
/// Three steps: tasks add their runs; the last one plans; morsels (table parts, payload columns,
/// filters) are worked off in parallel. After ready() everything but the match marks is immutable.
class JoinBuildState {
public:
    /// What one build task collected.
    struct Run {
        std::vector<Batch> batches;
        std::unique_ptr<JoinKeyRun> keys;
        std::vector<uint32_t> null_key_rows;  // Only for null-aware joins.
        bool has_null_key = false;
        uint32_t num_rows = 0;
    };

    struct FilterTarget {
        std::shared_ptr<RuntimeFilter> filter;
        size_t key = 0;
    };

    JoinBuildState(
        std::shared_ptr<const JoinSpec> spec,
        int num_sinks,
        int num_workers,
        std::vector<FilterTarget> filters,
        EvalContext eval
    );

    const std::shared_ptr<const JoinSpec>& spec() const { return spec_; }

    /// Ready when all runs are in: the finishing pipeline may start.
    const DependencyPtr& sealed() const { return sealed_; }

    /// Ready when probing may start.
    const DependencyPtr& ready() const { return ready_; }

    Status add_run(Run run);

    /// Does one piece of the finishing work; false when none is left to take.
    Result<bool> finish_step();

    /// Sets how many probe tasks there will be (before any starts).
    void set_num_probes(int num_probes) {
        pending_probes_.store(num_probes, std::memory_order_relaxed);
    }

    /// True for the last probe task: it gives out what the build side keeps.
    bool probe_finished() { return pending_probes_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

    const JoinTable& table() const { return *table_; }

    uint32_t num_rows() const { return num_rows_; }

    const std::vector<ColumnPtr>& columns() const { return columns_; }

    bool has_null_key() const { return has_null_key_; }

    const std::vector<uint32_t>& null_key_rows() const { return null_key_rows_; }

    /// Marks are set by all probe tasks and read by the last; relaxed stores, ordered by
    /// probe_finished().
    void mark(uint32_t row) {
        std::atomic_ref<uint8_t>(marks_[row]).store(1, std::memory_order_relaxed);
    }

    bool is_marked(uint32_t row) {
        return std::atomic_ref<uint8_t>(marks_[row]).load(std::memory_order_relaxed) != 0;
    }

private:
    static constexpr uint32_t kParallelFromRows = 32 * 1024;

    Status seal();
    Status run_morsel(size_t morsel);
    Status build_filters();

    const std::shared_ptr<const JoinSpec> spec_;
    const size_t num_workers_;
    const std::vector<FilterTarget> filters_;
    EvalContext eval_;
    const DependencyPtr sealed_ = std::make_shared<Dependency>();
    const DependencyPtr ready_ = std::make_shared<Dependency>();

    std::mutex mutex_;  // Guards pending_sinks_ and runs_ until sealed.
    int pending_sinks_;
    std::vector<Run> runs_;

    std::unique_ptr<JoinTable> table_;
    std::vector<ColumnPtr> columns_;
    uint32_t num_rows_ = 0;
    bool has_null_key_ = false;
    std::vector<uint32_t> null_key_rows_;
    TrackedVector<uint8_t> marks_;
    std::atomic<size_t> next_morsel_{0};
    std::atomic<size_t> pending_morsels_{0};
    size_t num_morsels_ = 0;
    std::atomic<int> pending_probes_{0};
};

/// Collects build rows and their keys.
class JoinBuildSink final : public Sink {
public:
    JoinBuildSink(
        std::shared_ptr<JoinBuildState> state, EvalContext eval, OperatorProfile* profile
    );
    Status accept(Batch batch) override;
    Result<Poll> finish() override;
    void close() override;

private:
    Status append_keys(const Batch& batch, uint32_t first_row);

    std::shared_ptr<JoinBuildState> state_;
    EvalContext eval_;
    OperatorProfile* profile_;
    JoinBuildState::Run run_;
    std::unique_ptr<KeyRows> key_rows_;
    bool finished_ = false;
};

/// Source of the pipeline that turns runs into the table; gives no batches.
class JoinFinishSource final : public Source {
public:
    explicit JoinFinishSource(std::shared_ptr<JoinBuildState> state) : state_(std::move(state)) {}

    Result<Poll> next(Batch& batch) override;

private:
    std::shared_ptr<JoinBuildState> state_;
};

/// Takes nothing; the end of pipelines that only work.
class DiscardSink final : public Sink {
public:
    Status accept(Batch) override { return {}; }

    Result<Poll> finish() override { return Poll::finished(); }
};

}  // namespace thetis
