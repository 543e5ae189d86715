// SPDX-License-Identifier: Apache-2.0
#include "exec/pipeline/task.h"

#include <chrono>
#include <new>

#include "base/memory/tracker.h"

namespace thetis {

namespace {

/// Inputs an operator may take one after the other without giving anything.
constexpr int kMaxFruitlessInputs = 4;

int64_t now_nanos() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch()
    )
        .count();
}

/// Adds the time of one operator call to its profile.
class OperatorTimer {
public:
    explicit OperatorTimer(OperatorProfile* profile) : profile_(profile), begin_(now_nanos()) {}

    ~OperatorTimer() {
        if (profile_ != nullptr) {
            profile_->busy_nanos.fetch_add(now_nanos() - begin_, std::memory_order_relaxed);
        }
    }

    OperatorTimer(const OperatorTimer&) = delete;
    OperatorTimer& operator=(const OperatorTimer&) = delete;

private:
    OperatorProfile* profile_;
    int64_t begin_;
};

void count_rows(OperatorProfile* profile, const Batch& batch) {
    if (profile != nullptr) {
        profile->rows_out.fetch_add(batch.num_selected(), std::memory_order_relaxed);
        profile->batches_out.fetch_add(1, std::memory_order_relaxed);
    }
}

}  // namespace

PipelineTask::PipelineTask(
    const Pipeline& pipeline,
    int index,
    ExecContext& context,
    TaskScheduler& scheduler,
    std::function<void()> on_done
)
    : pipeline_(pipeline),
      index_(index),
      context_(context),
      scheduler_(scheduler),
      on_done_(std::move(on_done)) {}

void PipelineTask::start() {
    wake();
}

void PipelineTask::wake() {
    while (true) {
        State state = state_.load(std::memory_order_acquire);
        if (state == State::kParked) {
            // Acquire-release: what the waker published is seen by the next slice.
            if (state_.compare_exchange_weak(state, State::kQueued, std::memory_order_acq_rel)) {
                scheduler_.submit(shared_from_this());
                return;
            }
        } else if (state == State::kRunning) {
            if (state_.compare_exchange_weak(state, State::kWoken, std::memory_order_acq_rel)) {
                return;
            }
        } else {
            return;
        }
    }
}

void PipelineTask::run_slice() {
    state_.store(State::kRunning, std::memory_order_release);
    auto self = shared_from_this();
    int64_t begin = now_nanos();
    Progress progress = run_guarded();
    context_.profile.cpu_nanos.fetch_add(now_nanos() - begin, std::memory_order_relaxed);
    if (progress == Progress::kDone) {
        state_.store(State::kDone, std::memory_order_release);
        auto done = std::move(on_done_);
        done();
        return;
    }
    if (progress == Progress::kYield) {
        state_.store(State::kQueued, std::memory_order_release);
        scheduler_.submit(std::move(self));
        return;
    }
    park_on(std::exchange(blocked_on_, nullptr));
}

void PipelineTask::park_on(const DependencyPtr& dependency) {
    DependencyPtr on = dependency;
    auto self = shared_from_this();
    State expected = State::kRunning;
    if (!state_.compare_exchange_strong(expected, State::kParked, std::memory_order_acq_rel)) {
        // Woken meanwhile.
        state_.store(State::kQueued, std::memory_order_release);
        scheduler_.submit(std::move(self));
        return;
    }
    // From here another worker may run this task: only locals are touched.
    if (context_.is_cancelled() || !on->wait(self)) {
        wake();
    }
}

PipelineTask::Progress PipelineTask::run_guarded() {
    MemoryScope scope(context_.memory, MemoryScope::Refusal::kThrows);
    Status failure;
    if (context_.is_cancelled()) {
        close_all();
        return Progress::kDone;
    }
    try {
        auto progress = advance();
        if (progress.ok() && *progress != Progress::kDone) {
            return *progress;
        }
        failure = progress.status();
    } catch (const MemoryLimitExceeded& error) {
        failure = error.status();
    } catch (const std::bad_alloc&) {
        failure = Status(
            ErrorCode::kMemLimitExceeded, "MEM_LIMIT_EXCEEDED: the process is out of memory"
        );
    } catch (const std::exception& error) {
        failure = Status::error(
            ErrorCode::kInternal, "query {}: {}", context_.query_id.to_string(), error.what()
        );
    }
    if (!failure.ok()) {
        context_.on_failure(failure);
    }
    close_all();
    return Progress::kDone;
}

void PipelineTask::open() {
    source_ = pipeline_.source.make(index_);
    for (const auto& factory : pipeline_.transforms) {
        transforms_.push_back({factory.make(index_), factory.profile, false});
    }
    sink_ = pipeline_.sink.make(index_);
    opened_ = true;
}

Result<PipelineTask::Progress> PipelineTask::advance() {
    if (!opened_) {
        for (const auto& dependency : pipeline_.start_after) {
            if (!dependency->is_ready()) {
                blocked_on_ = dependency;
                return Progress::kBlocked;
            }
        }
        open();
    }
    int64_t slice_end = now_nanos() + TaskScheduler::kSliceNanos;
    while (!input_finished_) {
        if (context_.is_cancelled()) {
            return Progress::kDone;
        }
        RETURN_IF_ERROR(context_.memory->check());
        if (!sink_->wants_more()) {
            input_finished_ = true;
            break;
        }
        if (auto dependency = sink_->blocked()) {
            blocked_on_ = std::move(dependency);
            return Progress::kBlocked;
        }
        Batch batch;
        ASSIGN_OR_RETURN(Poll poll, pull(transforms_.size(), batch));
        if (poll.kind == Poll::Kind::kBlocked) {
            blocked_on_ = std::move(poll.dependency);
            return Progress::kBlocked;
        }
        if (poll.kind == Poll::Kind::kFinished) {
            input_finished_ = true;
            break;
        }
        if (!batch.empty()) {
            OperatorTimer watch(pipeline_.sink.profile);
            RETURN_IF_ERROR(sink_->accept(std::move(batch)));
        }
        if (now_nanos() > slice_end) {
            return Progress::kYield;
        }
    }
    return finish_sink();
}

Result<PipelineTask::Progress> PipelineTask::finish_sink() {
    OperatorTimer watch(pipeline_.sink.profile);
    ASSIGN_OR_RETURN(Poll poll, sink_->finish());
    if (poll.kind == Poll::Kind::kBlocked) {
        blocked_on_ = std::move(poll.dependency);
        return Progress::kBlocked;
    }
    return poll.kind == Poll::Kind::kBatch ? Progress::kYield : Progress::kDone;
}

Result<Poll> PipelineTask::pull_source(Batch& batch) {
    OperatorTimer watch(pipeline_.source.profile);
    ASSIGN_OR_RETURN(Poll poll, source_->next(batch));
    if (poll.kind == Poll::Kind::kBatch) {
        count_rows(pipeline_.source.profile, batch);
    }
    return poll;
}

// Output of the first `num_stages` transforms.
Result<Poll> PipelineTask::pull(size_t num_stages, Batch& batch) {
    if (num_stages == 0) {
        return pull_source(batch);
    }
    TransformStage& stage = transforms_[num_stages - 1];
    for (int inputs = 0;; ++inputs) {
        {
            OperatorTimer watch(stage.profile);
            ASSIGN_OR_RETURN(Poll poll, stage.op->next(batch));
            if (poll.kind == Poll::Kind::kBatch) {
                count_rows(stage.profile, batch);
                return poll;
            }
            if (poll.kind == Poll::Kind::kFinished || poll.dependency != nullptr) {
                return poll;
            }
        }
        if (inputs == kMaxFruitlessInputs) {
            batch = {};
            return Poll::batch();  // Still working: lets the caller look at its slice.
        }
        Batch input;
        ASSIGN_OR_RETURN(Poll poll, pull(num_stages - 1, input));
        if (poll.kind == Poll::Kind::kBlocked) {
            return poll;
        }
        OperatorTimer watch(stage.profile);
        if (poll.kind == Poll::Kind::kFinished) {
            if (stage.input_finished) {
                return Status(ErrorCode::kInternal, "an operator asked for input after its end");
            }
            stage.input_finished = true;
            RETURN_IF_ERROR(stage.op->finish_input());
            continue;
        }
        if (input.empty()) {
            batch = {};
            return Poll::batch();  // Still working: lets the caller look at its slice.
        }
        RETURN_IF_ERROR(stage.op->accept(std::move(input)));
    }
}

void PipelineTask::close_all() {
    if (source_ != nullptr) {
        source_->close();
    }
    for (auto& stage : transforms_) {
        stage.op->close();
    }
    if (sink_ != nullptr) {
        sink_->close();
    }
    source_.reset();
    transforms_.clear();
    sink_.reset();
}

}  // namespace thetis
