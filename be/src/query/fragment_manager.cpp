// SPDX-License-Identifier: Apache-2.0
#include "query/fragment_manager.h"

#include "base/logging.h"
#include "exec/exchange/exchange_receiver.h"
#include "exec/exec_services.h"
#include "gen_thrift/plan_types.h"
#include "query/query_context.h"
#include "wire/thrift_codec.h"

namespace thetis {

namespace {
constexpr auto kRememberCancelled = std::chrono::seconds(60);
constexpr auto kShutdownWait = std::chrono::seconds(10);
}  // namespace

FragmentManager::FragmentManager(ExecServices& services, FragmentManagerOptions options)
    : services_(services), options_(with_clock(options, system_clock_)) {
    timer_ = std::thread([this] { run_timer(); });
}

FragmentManagerOptions FragmentManager::with_clock(
    FragmentManagerOptions options, const Clock& clock
) {
    options.clock = options.clock == nullptr ? &clock : options.clock;
    return options;
}

FragmentManager::~FragmentManager() {
    shutdown();
}

Status FragmentManager::prepare_bytes(std::string_view exec_plan, bool start) {
    wire::ExecPlan plan;
    RETURN_IF_ERROR(decode_compact(exec_plan, plan).with_context("exec plan"));
    return prepare(plan, start);
}

Status FragmentManager::prepare(const wire::ExecPlan& plan, bool start, LocalInputs inputs) {
    QueryId id{plan.query_id.high, plan.query_id.low};
    auto query = std::make_shared<QueryContext>(
        services_, options_, plan, [ends = ends_](const Status& outcome) { ends->count(outcome); }
    );
    {
        std::lock_guard lock(mutex_);
        if (recently_cancelled_.contains(id)) {
            return Status::error(
                ErrorCode::kCancelled,
                "query {} was cancelled before it was prepared",
                id.to_string()
            );
        }
        if (!queries_.emplace(id, query).second) {
            return Status::error(
                ErrorCode::kAlreadyExists, "query {} is here already", id.to_string()
            );
        }
        std::lock_guard counting(ends_->mutex);
        ++ends_->num_live;
    }
    Status prepared = query->prepare(plan, std::move(inputs));
    if (!prepared.ok()) {
        release(id);
        return prepared;
    }
    if (start && !query->start()) {
        return Status::error(
            ErrorCode::kCancelled, "query {} was cancelled while it was prepared", id.to_string()
        );
    }
    if (start) {
        total_started_.fetch_add(1, std::memory_order_relaxed);
    }
    return {};
}

Status FragmentManager::start(const QueryId& query_id) {
    auto query = find(query_id);
    if (query == nullptr) {
        return Status::error(
            ErrorCode::kNotFound, "query {} is not prepared here", query_id.to_string()
        );
    }
    if (!query->start()) {
        return Status::error(ErrorCode::kCancelled, "query {} has ended", query_id.to_string());
    }
    total_started_.fetch_add(1, std::memory_order_relaxed);
    return {};
}

void FragmentManager::cancel(const QueryId& query_id, const Status& reason) {
    std::shared_ptr<QueryContext> query;
    {
        std::lock_guard lock(mutex_);
        auto found = queries_.find(query_id);
        if (found != queries_.end()) {
            query = found->second;
        } else {
            recently_cancelled_[query_id] = options_.clock->steady_now() + kRememberCancelled;
        }
    }
    if (query != nullptr) {
        query->cancel(reason.ok() ? Status(ErrorCode::kCancelled, "query cancelled") : reason);
    }
}

std::shared_ptr<ResultBuffer> FragmentManager::result(const QueryId& query_id) {
    auto query = find(query_id);
    return query == nullptr ? nullptr : query->results();
}

void FragmentManager::release(const QueryId& query_id) {
    std::shared_ptr<QueryContext> query;
    {
        std::lock_guard lock(mutex_);
        auto found = queries_.find(query_id);
        if (found == queries_.end()) {
            return;
        }
        query = std::move(found->second);
        queries_.erase(found);
    }
    query->cancel(Status(ErrorCode::kCancelled, "the result of the query is no longer wanted"));
}

void FragmentManager::receive(TransmitPiece piece, TransmitCallback acknowledge) {
    auto query = find(piece.query_id);
    if (query == nullptr || query->state() == QueryContext::State::kEnded) {
        acknowledge({{}, piece.sequence, true});
        return;
    }
    auto receiver = query->exchanges()->find(piece.fragment_id, piece.exchange_id);
    if (receiver == nullptr) {
        auto status = Status::error(
            ErrorCode::kInvalidArgument,
            "query {} has no exchange {} in fragment {}",
            piece.query_id.to_string(),
            piece.exchange_id,
            piece.fragment_id
        );
        acknowledge({status, piece.sequence, false});
        return;
    }
    receiver->receive(std::move(piece), std::move(acknowledge));
}

void FragmentManager::coordinator_epoch(const std::string& host, int32_t port, int64_t epoch) {
    std::vector<std::shared_ptr<QueryContext>> lost;
    {
        std::lock_guard lock(mutex_);
        for (const auto& [id, query] : queries_) {
            if (query->coordinator_host() == host && query->coordinator_port() == port &&
                query->coordinator_epoch() != epoch) {
                lost.push_back(query);
            }
        }
    }
    for (const auto& query : lost) {
        LOG_WARN(
            "query cancelled, its coordinator is gone query_id={} coordinator={}:{}",
            query->query_id().to_string(),
            host,
            port
        );
        query->cancel(Status::error(
            ErrorCode::kCancelled, "the coordinating front end {}:{} is gone", host, port
        ));
    }
}

std::shared_ptr<QueryContext> FragmentManager::find(const QueryId& query_id) const {
    std::lock_guard lock(mutex_);
    auto found = queries_.find(query_id);
    return found == queries_.end() ? nullptr : found->second;
}

void FragmentManager::Ends::count(const Status& outcome) {
    std::lock_guard lock(mutex);
    --num_live;
    if (outcome.ok()) {
        ++num_finished;
    } else if (outcome.code() == ErrorCode::kCancelled) {
        ++num_cancelled;
    } else {
        ++num_failed;
    }
    ended.notify_all();
}

FragmentManager::Metrics FragmentManager::metrics() const {
    Metrics metrics;
    std::lock_guard lock(mutex_);
    for (const auto& [id, query] : queries_) {
        auto state = query->state();
        metrics.num_queries += state == QueryContext::State::kEnded ? 0 : 1;
        metrics.num_prepared_not_started += state == QueryContext::State::kPrepared ? 1 : 0;
        metrics.num_receivers +=
            state == QueryContext::State::kEnded || query->exchanges() == nullptr
                ? 0
                : static_cast<int64_t>(query->exchanges()->size());
        metrics.memory_bytes += query->memory_bytes();
    }
    metrics.total_started = total_started_.load(std::memory_order_relaxed);
    std::lock_guard counting(ends_->mutex);
    metrics.total_finished = ends_->num_finished;
    metrics.total_failed = ends_->num_failed;
    metrics.total_cancelled = ends_->num_cancelled;
    return metrics;
}

std::vector<std::string> FragmentManager::describe_queries() const {
    static constexpr const char* kStates[] = {"prepared", "running", "ended"};
    auto now = options_.clock->steady_now();
    std::vector<std::string> lines;
    std::lock_guard lock(mutex_);
    for (const auto& [id, query] : queries_) {
        auto age = std::chrono::duration_cast<std::chrono::milliseconds>(now - query->prepared_at())
                       .count();
        lines.push_back(fmt::format(
            "query_id={} state={} age_ms={} memory_bytes={} coordinator={}:{}",
            id.to_string(),
            kStates[static_cast<size_t>(query->state())],
            age,
            query->memory_bytes(),
            query->coordinator_host(),
            query->coordinator_port()
        ));
    }
    return lines;
}

void FragmentManager::tick(std::chrono::steady_clock::time_point now) {
    std::vector<std::pair<std::shared_ptr<QueryContext>, Status>> to_cancel;
    std::vector<std::shared_ptr<QueryContext>> forgotten;  // Destroyed outside of the lock.
    {
        std::lock_guard lock(mutex_);
        for (auto it = queries_.begin(); it != queries_.end();) {
            auto& query = it->second;
            auto state = query->state();
            if (state == QueryContext::State::kEnded) {
                bool kept_long_enough =
                    now - query->ended_at() > std::chrono::milliseconds(options_.finished_keep_ms);
                if (query->results()->is_delivered() || kept_long_enough) {
                    forgotten.push_back(std::move(query));
                    it = queries_.erase(it);
                    continue;
                }
            } else if (query->is_cancelled()) {
                // Its tasks are on their way out.
            } else if (now > query->deadline()) {
                to_cancel.emplace_back(
                    query,
                    Status(
                        ErrorCode::kQueryTimeout, "query timeout: it ran longer than its time limit"
                    )
                );
            } else if (state == QueryContext::State::kPrepared &&
                       now - query->prepared_at() >
                           std::chrono::milliseconds(options_.fragment_start_timeout_ms)) {
                to_cancel.emplace_back(
                    query,
                    Status::error(
                        ErrorCode::kTimeout,
                        "not started within {} ms of its preparation",
                        options_.fragment_start_timeout_ms
                    )
                );
            }
            ++it;
        }
        std::erase_if(recently_cancelled_, [now](const auto& entry) { return entry.second < now; });
    }
    for (auto& [query, reason] : to_cancel) {
        LOG_WARN(
            "query cancelled by the timer query_id={} reason={}",
            query->query_id().to_string(),
            reason.message()
        );
        query->cancel(reason);
    }
}

void FragmentManager::run_timer() {
    std::unique_lock lock(timer_mutex_);
    while (!stopping_) {
        timer_wakeup_.wait_for(lock, std::chrono::milliseconds(options_.timer_tick_ms));
        if (stopping_) {
            return;
        }
        lock.unlock();
        tick(options_.clock->steady_now());
        lock.lock();
    }
}

void FragmentManager::shutdown() {
    {
        std::lock_guard lock(timer_mutex_);
        stopping_ = true;
    }
    timer_wakeup_.notify_all();
    if (timer_.joinable()) {
        timer_.join();
    }
    std::vector<std::shared_ptr<QueryContext>> queries;
    {
        std::lock_guard lock(mutex_);
        for (auto& [id, query] : queries_) {
            queries.push_back(query);
        }
    }
    for (auto& query : queries) {
        query->cancel(Status(ErrorCode::kCancelled, "the back end is shutting down"));
    }
    {
        std::unique_lock lock(ends_->mutex);
        ends_->ended.wait_for(lock, kShutdownWait, [this] { return ends_->num_live == 0; });
    }
    std::lock_guard lock(mutex_);
    queries_.clear();
}

}  // namespace thetis
