// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/thread/mutex.h"
#include "exec/pipeline/exec_context.h"
#include "exec/pipeline/pipeline.h"
#include "exec/pipeline/task.h"
#include "query/fragment_manager.h"
#include "query/result_buffer.h"

namespace thetis {

/// One query on this back end, from prepare to its end: context, pipelines, tasks, receivers,
/// result. Kept alive by the manager and by running tasks. All functions are thread-safe.
class QueryContext : public std::enable_shared_from_this<QueryContext> {
public:
    enum class State : uint8_t { kPrepared, kRunning, kEnded };

    /// Takes from the plan what others may ask of a query that is still being prepared. `on_end` is
    /// called once, when the last task is gone, with the outcome.
    QueryContext(
        ExecServices& services,
        const FragmentManagerOptions& options,
        const wire::ExecPlan& plan,
        std::function<void(const Status&)> on_end
    );
    ~QueryContext();

    /// Builds everything. On failure the object is to be dropped.
    Status prepare(const wire::ExecPlan& plan, LocalInputs inputs);

    /// Queues the tasks. True when this call opened the gate or it was open; false when the query
    /// has ended.
    bool start();

    /// Ends the query. The first reason counts; later calls do nothing.
    void cancel(const Status& reason);

    const QueryId& query_id() const { return context_.query_id; }

    State state() const;

    /// Its end is on the way, whoever asked for it.
    bool is_cancelled() const { return context_.is_cancelled(); }

    const std::shared_ptr<ResultBuffer>& results() const { return results_; }

    const std::shared_ptr<ExchangeRegistry>& exchanges() const { return context_.exchanges; }

    int64_t memory_bytes() const;

    SteadyTime prepared_at() const { return prepared_at_; }

    SteadyTime deadline() const { return deadline_; }

    /// Only when state() is kEnded.
    SteadyTime ended_at() const;

    const std::string& coordinator_host() const { return coordinator_host_; }

    int32_t coordinator_port() const { return coordinator_port_; }

    int64_t coordinator_epoch() const { return coordinator_epoch_; }

private:
    Status set_options(const wire::ExecPlan& plan);
    Status build_pipelines(const wire::ExecPlan& plan);
    void task_done();
    void end();

    const FragmentManagerOptions& options_;
    std::function<void(const Status&)> on_end_;
    ExecContext context_;
    std::shared_ptr<ResultBuffer> results_;
    bool enable_profile_ = false;
    const std::string coordinator_host_;
    const int32_t coordinator_port_;
    const int64_t coordinator_epoch_;
    const SteadyTime prepared_at_;
    const int64_t timeout_ms_;
    const SteadyTime deadline_;

    mutable std::mutex mutex_;  // Guards all below. Tasks and callbacks are called outside of it.
    State state_ = State::kPrepared;
    SteadyTime ended_at_;
    std::vector<std::unique_ptr<Pipeline>> pipelines_;
    std::vector<std::shared_ptr<PipelineTask>> tasks_;
    size_t pending_tasks_ = 0;
};

}  // namespace thetis
