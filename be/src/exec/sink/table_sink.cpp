// SPDX-License-Identifier: Apache-2.0
#include "exec/sink/table_sink.h"

#include "column/text_conversion.h"

namespace thetis {

TableSinkState::TableSinkState(
    OpenWriter open,
    std::vector<ColumnRule> rules,
    std::vector<int> unconverted,
    bool strict_mode,
    int num_tasks,
    ExecContext& context
)
    : open_(std::move(open)),
      rules_(std::move(rules)),
      unconverted_(std::move(unconverted)),
      strict_mode_(strict_mode),
      results_(context.results),
      pending_tasks_(num_tasks) {}

Result<std::shared_ptr<TableWriter>> TableSinkState::writer() {
    std::lock_guard lock(mutex_);
    if (cancelled_) {
        return Status(ErrorCode::kCancelled, "the load was cancelled");
    }
    if (writer_ == nullptr) {
        ASSIGN_OR_RETURN(writer_, open_());
    }
    return writer_;
}

Status TableSinkState::reject(const std::string& reason) {
    std::lock_guard lock(mutex_);
    if (strict_mode_) {
        return Status(
            ErrorCode::kInsertFailed, "Insert has filtered data in strict mode. " + reason
        );
    }
    if (num_rejected_++ == 0) {
        first_rejection_ = reason;
    }
    return {};
}

Status TableSinkState::task_finished() {
    // Acquire-release: the last task sees the writes of all.
    if (pending_tasks_.fetch_sub(1, std::memory_order_acq_rel) != 1) {
        return {};
    }
    ASSIGN_OR_RETURN(auto last_writer, writer());
    last_writer->finish([self = shared_from_this()](Result<LoadCounters> counters) {
        {
            std::lock_guard lock(self->mutex_);
            if (counters.ok()) {
                counters->filtered_rows += self->num_rejected_;
                if (counters->first_error.empty()) {
                    counters->first_error = self->first_rejection_;
                }
                self->results_->put_load(counters.take());
            } else {
                self->outcome_ = counters.status();
            }
        }
        self->finished_->set_ready();
    });
    return {};
}

Status TableSinkState::outcome() {
    std::lock_guard lock(mutex_);
    return outcome_;
}

void TableSinkState::cancel(const Status& reason) {
    std::shared_ptr<TableWriter> opened;
    {
        std::lock_guard lock(mutex_);
        if (cancelled_ || finished_->is_ready()) {
            return;
        }
        cancelled_ = true;
        opened = writer_;
    }
    if (opened != nullptr) {
        opened->cancel(reason);
    }
}

// A value that became NULL did not convert.
Status TableSinkOperator::check_conversions(const Batch& batch) {
    for (size_t c = 0; c < state_->unconverted().size(); ++c) {
        const int from = state_->unconverted()[c];
        if (from < 0 || !batch.columns[c]->may_have_nulls()) {
            continue;
        }
        const Column& input = *batch.columns[static_cast<size_t>(from)];
        const Column& output = *batch.columns[c];
        for (uint32_t i = 0; i < batch.num_selected(); ++i) {
            const uint32_t row = batch.row_at(i);
            if (output.is_null(row) && !input.is_null(row)) {
                return state_->reject(fmt::format(
                    "column({}) cannot take the value {}",
                    state_->rules()[c].name,
                    value_text(input, row)
                ));
            }
        }
    }
    return {};
}

Status TableSinkOperator::accept(Batch batch) {
    if (writer_ == nullptr) {
        ASSIGN_OR_RETURN(writer_, state_->writer());
    }
    if (!state_->unconverted().empty()) {
        if (state_->strict_mode()) {
            RETURN_IF_ERROR(check_conversions(batch));
        }
        batch.columns.resize(state_->rules().size());
    }
    Status failure;
    check_rows(state_->rules(), batch, [&](uint32_t, const std::string& reason) {
        if (failure.ok()) {
            failure = state_->reject(reason);
        }
    });
    RETURN_IF_ERROR(failure);
    return batch.empty() ? Status() : writer_->write(batch);
}

Result<Poll> TableSinkOperator::finish() {
    if (!finished_) {
        finished_ = true;
        RETURN_IF_ERROR(state_->task_finished());
    }
    // Only the last task has something to wait for, but all may: the fragment ends with the load.
    if (!state_->finished()->is_ready()) {
        return Poll::blocked(state_->finished());
    }
    RETURN_IF_ERROR(state_->outcome());
    return Poll::finished();
}

}  // namespace thetis
