// SPDX-License-Identifier: Apache-2.0
#include "storage/engine/compaction_scheduler.h"

#include <sys/resource.h>
#include <unistd.h>

#include "base/logging.h"
#include "base/thread/thread_pool.h"

namespace thetis {

namespace {

constexpr int kNice = 10;
constexpr auto kIdleWait = std::chrono::seconds(5);

}  // namespace

std::optional<Result<bool>> RequestedCompaction::wait(SteadyTime deadline) {
    MutexLock lock(mutex_);
    while (!outcome_.has_value() && std::chrono::steady_clock::now() < deadline) {
        done_.wait_until(mutex_, deadline);
    }
    return outcome_;
}

void RequestedCompaction::finish(Result<bool> outcome) {
    MutexLock lock(mutex_);
    outcome_.emplace(std::move(outcome));
    done_.notify_all();
}

CompactionScheduler::CompactionScheduler(Options options) : options_(std::move(options)) {}

CompactionScheduler::~CompactionScheduler() {
    stop();
}

void CompactionScheduler::start() {
    for (int i = 0; i < options_.num_threads; ++i) {
        threads_.emplace_back([this] { run(); });
    }
}

void CompactionScheduler::stop() {
    {
        MutexLock lock(mutex_);
        stopping_ = true;
        for (const Request& request : requests_) {
            request.outcome->finish(
                Status::error(ErrorCode::kCancelled, "The storage engine is shutting down")
            );
        }
        requests_.clear();
        wake_.notify_all();
    }
    for (std::thread& thread : threads_) {
        if (thread.joinable()) {
            thread.join();
        }
    }
}

void CompactionScheduler::add(int64_t tablet_id) {
    MutexLock lock(mutex_);
    if (candidates_.insert(tablet_id).second) {
        wake_.notify_one();
    }
}

Result<std::shared_ptr<RequestedCompaction>> CompactionScheduler::request(
    int64_t tablet_id, CompactionKind kind
) {
    MutexLock lock(mutex_);
    bool is_present = running_.contains(tablet_id);
    for (const Request& request : requests_) {
        is_present |= request.tablet_id == tablet_id;
    }
    if (is_present || stopping_) {
        return Status::error(
            ErrorCode::kAlreadyExists, "A compaction of tablet {} runs already", tablet_id
        );
    }
    requests_.push_back({tablet_id, kind, std::make_shared<RequestedCompaction>()});
    wake_.notify_one();
    return requests_.back().outcome;
}

std::map<int64_t, CompactionKind> CompactionScheduler::active() const {
    MutexLock lock(mutex_);
    std::map<int64_t, CompactionKind> all = running_;
    for (const Request& request : requests_) {
        all.emplace(request.tablet_id, request.kind);
    }
    return all;
}

bool CompactionScheduler::take(std::optional<Request>& request, int64_t& tablet_id) {
    for (auto each = requests_.begin(); each != requests_.end(); ++each) {
        if (!running_.contains(each->tablet_id)) {
            request = std::move(*each);
            tablet_id = request->tablet_id;
            requests_.erase(each);
            return true;
        }
    }
    if (options_.is_paused()) {
        return false;
    }
    auto best = candidates_.end();
    int64_t best_score = -1;
    for (auto each = candidates_.begin(); each != candidates_.end(); ++each) {
        if (running_.contains(*each)) {
            continue;
        }
        if (const int64_t score = options_.score(*each); score > best_score) {
            best = each;
            best_score = score;
        }
    }
    if (best == candidates_.end()) {
        return false;
    }
    tablet_id = *best;
    candidates_.erase(best);
    return true;
}

void CompactionScheduler::run() {
    set_thread_name("compaction");
    // Queries and loads go first: the system gives these threads what is left.
    ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kNice);
    for (;;) {
        std::optional<Request> request;
        int64_t tablet_id = 0;
        {
            MutexLock lock(mutex_);
            while (!stopping_ && !take(request, tablet_id)) {
                wake_.wait_for(mutex_, kIdleWait);
            }
            if (stopping_) {
                if (request.has_value()) {
                    request->outcome->finish(
                        Status::error(ErrorCode::kCancelled, "The storage engine is shutting down")
                    );
                }
                return;
            }
            running_[tablet_id] = request.has_value() ? request->kind : CompactionKind::kCumulative;
        }
        const auto merged = options_.run(
            tablet_id, request.has_value() ? std::optional(request->kind) : std::nullopt
        );
        if (!merged.ok() && merged.status().code() != ErrorCode::kTabletNotFound) {
            LOG_WARN(
                "compaction failed tablet_id={} reason={}", tablet_id, merged.status().message()
            );
        }
        MutexLock lock(mutex_);
        running_.erase(tablet_id);
        if (merged.ok() && *merged) {
            candidates_.insert(tablet_id);
        }
        if (request.has_value()) {
            request->outcome->finish(merged);
        }
        wake_.notify_all();
    }
}

}  // namespace thetis
