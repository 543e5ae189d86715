// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "base/status.h"
#include "base/thread/mutex.h"
#include "storage/compaction/compaction_policy.h"

namespace thetis {

/// A compaction that somebody asked for, and what became of it. Thread-safe.
class RequestedCompaction {
public:
    /// Nothing while it is not over; true when rowsets were merged.
    std::optional<Result<bool>> wait(SteadyTime deadline);
    void finish(Result<bool> outcome);

private:
    Mutex mutex_;  // Guards outcome_; innermost.
    CondVar done_;
    std::optional<Result<bool>> outcome_ GUARDED_BY(mutex_);
};

/// Runs compactions on threads of low priority: first what was asked for, then the tablet with the
/// most sorted runs among those that were named. Thread-safe.
class CompactionScheduler {
public:
    struct Options {
        int num_threads = 1;
        /// Compacts a tablet: of the given kind, whatever the policy says, or as the policy finds.
        std::function<Result<bool>(int64_t tablet_id, std::optional<CompactionKind> kind)> run;
        std::function<int64_t(int64_t tablet_id)> score;
        std::function<bool()> is_paused;  ///< Then only what is asked for runs.
    };

    explicit CompactionScheduler(Options options);
    /// Stops.
    ~CompactionScheduler();
    CompactionScheduler(const CompactionScheduler&) = delete;
    CompactionScheduler& operator=(const CompactionScheduler&) = delete;

    void start();
    /// Waits for running compactions; what is queued is dropped.
    void stop();

    /// The tablet may have something to merge.
    void add(int64_t tablet_id);
    /// already_exists when one was asked for or runs already.
    Result<std::shared_ptr<RequestedCompaction>> request(int64_t tablet_id, CompactionKind kind);

    /// The kind of the compaction that runs or waits for a tablet; nothing when there is none. By
    /// policy counts as cumulative.
    std::map<int64_t, CompactionKind> active() const;

private:
    struct Request {
        int64_t tablet_id;
        CompactionKind kind;
        std::shared_ptr<RequestedCompaction> outcome;
    };

    void run();
    bool take(std::optional<Request>& request, int64_t& tablet_id) REQUIRES(mutex_);

    const Options options_;
    mutable Mutex mutex_;  // Guards everything below but the threads.
    CondVar wake_;
    bool stopping_ GUARDED_BY(mutex_) = false;
    std::list<Request> requests_ GUARDED_BY(mutex_);
    std::set<int64_t> candidates_ GUARDED_BY(mutex_);
    std::map<int64_t, CompactionKind> running_ GUARDED_BY(mutex_);
    std::vector<std::thread> threads_;
};

}  // namespace thetis
