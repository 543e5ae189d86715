// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/status.h"
#include "exec/exec_services.h"
#include "exec/pipeline/profile.h"
#include "exec/pipeline/query_id.h"
#include "functions/eval_context.h"

namespace thetis {

class MemoryTracker;
class RowErrors;
class RowSource;
class ResultChannel;
class ExchangeRegistry;

/// What the operators of one query on this back end share. Owned by the query; outlives all of its
/// tasks. Fields are set before the first task runs and only read afterwards; the functions are
/// thread-safe.
class ExecContext {
public:
    explicit ExecContext(ExecServices& process_services) : services(process_services) {}

    ExecServices& services;
    QueryId query_id;
    int64_t backend_id = 0;
    uint32_t batch_size = 4096;
    int num_tasks = 1;
    int64_t deadline_ms = 0;             ///< Unix milliseconds.
    std::string disabled_scan_features;  ///< Comma list; exec/scan/scan_features.h.
    EvalContext eval;                    ///< Copied by every task.
    std::shared_ptr<MemoryTracker> memory;
    std::shared_ptr<ResultChannel> results;
    std::shared_ptr<ExchangeRegistry> exchanges;
    std::shared_ptr<RowSource> rows;        ///< Stream loads only.
    std::shared_ptr<RowErrors> row_errors;  ///< Stream loads only.
    QueryProfile profile;

    bool is_cancelled() const { return cancelled_.load(std::memory_order_acquire); }

    /// Why it was cancelled; ok when it was not.
    Status cancel_reason() const;

    /// Sets the flag; false when it was set before. Does not wake anybody: the query does.
    bool set_cancelled(const Status& reason);

    /// Called by the first operator that fails; the query turns it into its cancel.
    std::function<void(const Status&)> on_failure;

    /// Runs when the query is cancelled (or at once when it is already): wakes waits that live
    /// outside of tasks, such as a table writer's streams.
    void on_cancel(std::function<void(const Status&)> action);

private:
    std::atomic<bool> cancelled_{false};
    mutable std::mutex mutex_;  // Guards reason_ and cancel_actions_. Actions run outside of it.
    Status reason_;
    std::vector<std::function<void(const Status&)>> cancel_actions_;
};

}  // namespace thetis
