// SPDX-License-Identifier: Apache-2.0
#include "query/query_context.h"

#include "base/memory/tracker.h"
#include "exec/exchange/exchange_receiver.h"
#include "exec/fragment_builder.h"
#include "exec/scan/row_source.h"
#include "gen_thrift/plan_types.h"

namespace thetis {

namespace {
constexpr int kMaxTasks = 256;
constexpr int64_t kMaxTimeoutMs = int64_t{7} * 24 * 3600 * 1000;
}  // namespace

QueryContext::QueryContext(
    ExecServices& services,
    const FragmentManagerOptions& options,
    const wire::ExecPlan& plan,
    std::function<void(const Status&)> on_end
)
    : options_(options),
      on_end_(std::move(on_end)),
      context_(services),
      coordinator_host_(plan.coordinator.host),
      coordinator_port_(plan.coordinator.port),
      coordinator_epoch_(plan.coordinator_epoch),
      prepared_at_(options.clock->steady_now()),
      timeout_ms_(
          plan.options.timeout_ms > 0 ? std::min(plan.options.timeout_ms, kMaxTimeoutMs)
                                      : kMaxTimeoutMs
      ),
      deadline_(prepared_at_ + std::chrono::milliseconds(timeout_ms_)) {
    context_.query_id = {plan.query_id.high, plan.query_id.low};
    context_.backend_id = plan.backend_id;
    context_.exchanges = std::make_shared<ExchangeRegistry>();
    context_.memory = MemoryTracker::create(
        "query " + context_.query_id.to_string(),
        plan.options.mem_limit_bytes,
        services.process_memory
    );
    results_ = std::make_shared<ResultBuffer>(options_.result_buffer_bytes);
    context_.results = results_;
}

QueryContext::~QueryContext() = default;

Status QueryContext::prepare(const wire::ExecPlan& plan, LocalInputs inputs) {
    RETURN_IF_ERROR(set_options(plan));
    context_.rows = std::move(inputs.rows);
    context_.row_errors = std::move(inputs.row_errors);
    context_.on_failure = [weak = weak_from_this()](const Status& reason) {
        if (auto self = weak.lock()) {
            self->cancel(reason);
        }
    };
    MemoryScope scope(context_.memory);
    Status built = build_pipelines(plan);
    if (!built.ok()) {
        cancel(built);
    }
    return built;
}

Status QueryContext::set_options(const wire::ExecPlan& plan) {
    const auto& options = plan.options;
    context_.batch_size = static_cast<uint32_t>(
        std::clamp<int32_t>(options.batch_size, 1, static_cast<int32_t>(kMaxBatchRows))
    );
    context_.num_tasks = std::clamp(
        options.parallel_tasks > 0 ? options.parallel_tasks
                                   : context_.services.scheduler->num_workers(),
        1,
        kMaxTasks
    );
    auto unix_now = std::chrono::duration_cast<std::chrono::milliseconds>(
                        std::chrono::system_clock::now().time_since_epoch()
    )
                        .count();
    context_.deadline_ms = unix_now + timeout_ms_;
    if (!options.time_zone.empty()) {
        ASSIGN_OR_RETURN(context_.eval.time_zone, TimeZone::load(options.time_zone));
    }
    context_.eval.now_micros = options.now_micros;
    context_.eval.check_decimal_overflow =
        !options.__isset.check_overflow_for_decimal || options.check_overflow_for_decimal;
    const auto disabled = options.variables.find("disabled_scan_features");
    if (disabled != options.variables.end()) {
        context_.disabled_scan_features = disabled->second;
    }
    enable_profile_ = options.__isset.enable_profile && options.enable_profile;
    return {};
}

Status QueryContext::build_pipelines(const wire::ExecPlan& plan) {
    std::vector<FragmentBuilder> builders;
    builders.reserve(plan.fragments.size());
    for (const auto& fragment : plan.fragments) {
        auto instance =
            std::find_if(plan.instances.begin(), plan.instances.end(), [&](const auto& each) {
                return each.fragment_id == fragment.id;
            });
        if (instance == plan.instances.end()) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "fragment {} has no instance on this back end",
                fragment.id
            );
        }
        builders.emplace_back(fragment, *instance, context_);
        RETURN_IF_ERROR(builders.back().register_receivers());
    }
    if (builders.empty()) {
        return Status(ErrorCode::kInvalidArgument, "a plan without fragments");
    }
    std::vector<std::unique_ptr<Pipeline>> pipelines;
    for (auto& builder : builders) {
        ASSIGN_OR_RETURN(auto built, builder.build());
        for (auto& pipeline : built) {
            pipelines.push_back(std::move(pipeline));
        }
    }
    auto self = shared_from_this();
    std::lock_guard lock(mutex_);
    if (state_ == State::kEnded) {
        return context_.cancel_reason();
    }
    pipelines_ = std::move(pipelines);
    for (const auto& pipeline : pipelines_) {
        for (int i = 0; i < pipeline->num_tasks; ++i) {
            tasks_.push_back(std::make_shared<PipelineTask>(
                *pipeline, i, context_, *context_.services.scheduler, [self] { self->task_done(); }
            ));
        }
    }
    pending_tasks_ = tasks_.size();
    return {};
}

bool QueryContext::start() {
    std::vector<std::shared_ptr<PipelineTask>> tasks;
    {
        std::lock_guard lock(mutex_);
        if (state_ == State::kEnded || tasks_.empty()) {
            return false;  // Over, or still being prepared.
        }
        if (state_ == State::kRunning) {
            return true;
        }
        state_ = State::kRunning;
        tasks = tasks_;
    }
    for (auto& task : tasks) {
        task->start();
    }
    return true;
}

void QueryContext::cancel(const Status& reason) {
    auto self = shared_from_this();
    if (!context_.set_cancelled(reason)) {
        return;
    }
    FetchedChunk last;
    last.status = context_.cancel_reason();
    results_->finish(std::move(last));
    context_.exchanges->close_all();
    std::vector<std::shared_ptr<PipelineTask>> tasks;
    bool is_running = false;
    {
        std::lock_guard lock(mutex_);
        is_running = state_ == State::kRunning;
        tasks = tasks_;
    }
    if (!is_running) {
        end();
        return;
    }
    for (auto& task : tasks) {
        task->wake();
    }
}

void QueryContext::task_done() {
    {
        std::lock_guard lock(mutex_);
        if (--pending_tasks_ > 0) {
            return;
        }
    }
    end();
}

// Runs once: by the last task, or by the cancel of a query that never started.
void QueryContext::end() {
    std::vector<std::unique_ptr<Pipeline>> pipelines;
    std::vector<std::shared_ptr<PipelineTask>> tasks;
    {
        std::lock_guard lock(mutex_);
        if (state_ == State::kEnded) {
            return;
        }
        state_ = State::kEnded;
        ended_at_ = options_.clock->steady_now();
        pipelines.swap(pipelines_);
        tasks.swap(tasks_);
    }
    Status outcome = context_.cancel_reason();
    FetchedChunk last;
    last.status = outcome;
    last.scan_rows = context_.profile.scan_rows.load();
    last.scan_bytes = context_.profile.scan_bytes.load();
    last.cpu_nanos = context_.profile.cpu_nanos.load();
    last.peak_memory_bytes = context_.memory->peak_bytes();
    if (enable_profile_) {
        last.profile = context_.profile.to_text();
    }
    context_.exchanges->close_all();
    {
        // Memory goes back before the answer does, so that whoever saw the end sees the memory
        // gone.
        tasks.clear();
        pipelines.clear();
    }
    results_->finish(std::move(last));
    auto on_end = std::move(on_end_);
    if (on_end) {
        on_end(outcome);
    }
}

QueryContext::State QueryContext::state() const {
    std::lock_guard lock(mutex_);
    return state_;
}

SteadyTime QueryContext::ended_at() const {
    std::lock_guard lock(mutex_);
    return ended_at_;
}

int64_t QueryContext::memory_bytes() const {
    return context_.memory == nullptr ? 0 : context_.memory->used_bytes();
}

}  // namespace thetis
