// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

#include "exec/pipeline/exec_context.h"
#include "exec/pipeline/operator.h"
#include "exec/sink/result_channel.h"
#include "exec/sink/row_check.h"
#include "exec/sink/table_writer.h"

namespace thetis {

/// The one table writer of a fragment, opened by the first task that runs and finished by the last.
/// Kept alive by the writer's callback.
class TableSinkState : public std::enable_shared_from_this<TableSinkState> {
public:
    using OpenWriter = std::function<Result<std::shared_ptr<TableWriter>>()>;

    TableSinkState(
        OpenWriter open,
        std::vector<ColumnRule> rules,
        std::vector<int> unconverted,
        bool strict_mode,
        int num_tasks,
        ExecContext& context
    );

    Result<std::shared_ptr<TableWriter>> writer();

    const std::vector<ColumnRule>& rules() const { return rules_; }

    /// Per column the input column it was converted from, or -1; empty: no such columns come.
    const std::vector<int>& unconverted() const { return unconverted_; }

    bool strict_mode() const { return strict_mode_; }

    /// A row that does not fit the table, of a statement that is not a stream load.
    Status reject(const std::string& reason);

    /// One task ended; the last one finishes the writer.
    Status task_finished();

    const DependencyPtr& finished() const { return finished_; }

    /// After finished().
    Status outcome();
    void cancel(const Status& reason);

private:
    OpenWriter open_;
    const std::vector<ColumnRule> rules_;
    const std::vector<int> unconverted_;
    const bool strict_mode_;
    std::shared_ptr<ResultChannel> results_;
    std::atomic<int> pending_tasks_;
    const DependencyPtr finished_ = std::make_shared<Dependency>();
    std::mutex mutex_;  // Guards all below. The writer is opened under it, called outside of it.
    std::shared_ptr<TableWriter> writer_;
    Status outcome_;
    int64_t num_rejected_ = 0;
    std::string first_rejection_;
    bool cancelled_ = false;
};

class TableSinkOperator final : public Sink {
public:
    explicit TableSinkOperator(std::shared_ptr<TableSinkState> state) : state_(std::move(state)) {}

    DependencyPtr blocked() override { return writer_ == nullptr ? nullptr : writer_->blocked(); }

    Status accept(Batch batch) override;
    Result<Poll> finish() override;

    void close() override { writer_.reset(); }

private:
    Status check_conversions(const Batch& batch);

    std::shared_ptr<TableSinkState> state_;
    std::shared_ptr<TableWriter> writer_;
    bool finished_ = false;
};

}  // namespace thetis
