// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/status.h"
#include "base/thread/mutex.h"

namespace thetis {

/// A fixed number of named threads that run submitted tasks in order of arrival. Thread-safe. Tasks
/// must not throw.
class ThreadPool {
public:
    /// `max_queued` <= 0: the queue is unbounded.
    ThreadPool(std::string name, int num_threads, int max_queued = 0);
    /// Runs what is queued, then stops.
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    /// Fails when the pool is shut down or its queue is full.
    Status submit(std::function<void()> task);

    /// Refuses new tasks; finishes the queued ones, or drops them when `drop_queued`. Waits for
    /// running tasks. Idempotent.
    void shutdown(bool drop_queued = false);

    /// Waits until nothing is queued or running; false when the deadline came first.
    bool wait_idle(SteadyTime deadline);

    int num_threads() const { return num_threads_; }

    int num_queued() const;
    int num_running() const;

private:
    void run();

    const std::string name_;
    const int num_threads_;
    const int max_queued_;
    mutable Mutex mutex_;  // Guards everything below but the threads, which only the maker joins.
    CondVar wake_;
    CondVar idle_;
    std::deque<std::function<void()>> tasks_ GUARDED_BY(mutex_);
    int num_running_ GUARDED_BY(mutex_) = 0;
    bool stopping_ GUARDED_BY(mutex_) = false;
    std::vector<std::thread> threads_;
};

/// Names the calling thread as tools show it (15 bytes).
void set_thread_name(const std::string& name);

}  // namespace thetis
