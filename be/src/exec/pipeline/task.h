// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "exec/pipeline/exec_context.h"
#include "exec/pipeline/pipeline.h"
#include "exec/pipeline/scheduler.h"

namespace thetis {

/// One of the parallel runners of a pipeline: pulls batches through the chain for a slice at a
/// time, parks on dependencies, ends with success, failure or cancellation. Owned by the query; run
/// by one worker at a time.
class PipelineTask : public Schedulable,
                     public Waiter,
                     public std::enable_shared_from_this<PipelineTask> {
public:
    /// `pipeline` and `context` outlive the task. `on_done` is called once, when all operators are
    /// closed and destroyed.
    PipelineTask(
        const Pipeline& pipeline,
        int index,
        ExecContext& context,
        TaskScheduler& scheduler,
        std::function<void()> on_done
    );

    /// Queues the task for the first time.
    void start();

    void run_slice() override;
    void wake() override;

    int64_t used_nanos() const override {
        return context_.profile.cpu_nanos.load(std::memory_order_relaxed);
    }

private:
    // kWoken: woken while running, so parking must not happen.
    enum class State : uint8_t { kParked, kQueued, kRunning, kWoken, kDone };

    enum class Progress : uint8_t { kYield, kBlocked, kDone };

    struct TransformStage {
        std::unique_ptr<Transform> op;
        OperatorProfile* profile = nullptr;
        bool input_finished = false;
    };

    Progress run_guarded();
    Result<Progress> advance();
    void open();
    Result<Poll> pull(size_t num_stages, Batch& batch);
    Result<Poll> pull_source(Batch& batch);
    Result<Progress> finish_sink();
    void close_all();
    void park_on(const DependencyPtr& dependency);

    const Pipeline& pipeline_;
    const int index_;
    ExecContext& context_;
    TaskScheduler& scheduler_;
    std::function<void()> on_done_;

    std::atomic<State> state_{State::kParked};
    bool opened_ = false;
    bool input_finished_ = false;
    std::unique_ptr<Source> source_;
    std::vector<TransformStage> transforms_;
    std::unique_ptr<Sink> sink_;
    DependencyPtr blocked_on_;
};

}  // namespace thetis
