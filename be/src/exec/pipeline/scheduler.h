// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace thetis {

/// A unit of work that runs in slices.
class Schedulable {
public:
    virtual ~Schedulable() = default;
    /// Runs for about one slice. Afterwards the task has been resubmitted, is parked, or is over;
    /// the worker forgets it.
    virtual void run_slice() = 0;
    /// Time used so far by the query of this task; long queries yield to short ones.
    virtual int64_t used_nanos() const = 0;
};

/// The fixed pool of workers that runs all pipelines of the process: one thread per core. Tasks
/// wait in levels by the time their query used so far; a lower level is served more often, none
/// starves. Thread-safe.
class TaskScheduler {
public:
    static constexpr int64_t kSliceNanos = 10'000'000;

    /// `nice`: how far the workers stand back behind other threads of the machine, 0 to 19.
    explicit TaskScheduler(int num_workers, int nice = 0);
    ~TaskScheduler();

    TaskScheduler(const TaskScheduler&) = delete;
    TaskScheduler& operator=(const TaskScheduler&) = delete;

    int num_workers() const { return static_cast<int>(workers_.size()); }

    /// Queues a task. After shutdown() it is dropped.
    void submit(std::shared_ptr<Schedulable> task);

    /// Stops the workers after their current slice. Idempotent.
    void shutdown();

    size_t num_queued() const;

private:
    static constexpr int kNumLevels = 3;

    void run_worker();
    static int level_of(int64_t used_nanos);
    std::shared_ptr<Schedulable> pop_locked();

    mutable std::mutex mutex_;  // Guards all below. No task code runs under it.
    std::condition_variable wakeup_;
    std::array<std::deque<std::shared_ptr<Schedulable>>, kNumLevels> queues_;
    std::array<int64_t, kNumLevels> served_{};
    bool stopping_ = false;
    std::vector<std::thread> workers_;
};

}  // namespace thetis
