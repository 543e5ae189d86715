// SPDX-License-Identifier: Apache-2.0
#include "exec/pipeline/scheduler.h"

#include <sys/resource.h>
#include <unistd.h>

#include "base/thread/thread_pool.h"

namespace thetis {

TaskScheduler::TaskScheduler(int num_workers, int nice) {
    workers_.reserve(static_cast<size_t>(num_workers));
    for (int i = 0; i < num_workers; ++i) {
        workers_.emplace_back([this, nice] {
            set_thread_name("pipeline");
            // Standing back is always permitted; of the calling thread only.
            if (nice > 0) {
                ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), nice);
            }
            run_worker();
        });
    }
}

TaskScheduler::~TaskScheduler() {
    shutdown();
}

void TaskScheduler::submit(std::shared_ptr<Schedulable> task) {
    int level = level_of(task->used_nanos());
    {
        std::lock_guard lock(mutex_);
        if (stopping_) {
            return;
        }
        auto& queue = queues_[static_cast<size_t>(level)];
        if (queue.empty()) {
            // A level that was idle does not get to catch up on turns it did not need.
            int64_t least = served_[static_cast<size_t>(level)];
            for (int i = 0; i < kNumLevels; ++i) {
                if (!queues_[static_cast<size_t>(i)].empty()) {
                    least = std::max(least, served_[static_cast<size_t>(i)]);
                }
            }
            served_[static_cast<size_t>(level)] = least;
        }
        queue.push_back(std::move(task));
    }
    wakeup_.notify_one();
}

void TaskScheduler::shutdown() {
    {
        std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wakeup_.notify_all();
    for (auto& worker : workers_) {
        if (worker.joinable()) {
            worker.join();
        }
    }
    std::lock_guard lock(mutex_);
    for (auto& queue : queues_) {
        queue.clear();
    }
}

size_t TaskScheduler::num_queued() const {
    std::lock_guard lock(mutex_);
    size_t count = 0;
    for (const auto& queue : queues_) {
        count += queue.size();
    }
    return count;
}

int TaskScheduler::level_of(int64_t used_nanos) {
    return used_nanos < 100'000'000 ? 0 : (used_nanos < 2'000'000'000 ? 1 : 2);
}

std::shared_ptr<Schedulable> TaskScheduler::pop_locked() {
    // Each level advances a counter by its cost per turn; the level furthest behind goes next:
    // shares of 4 : 2 : 1.
    int best = -1;
    for (int i = 0; i < kNumLevels; ++i) {
        auto level = static_cast<size_t>(i);
        if (!queues_[level].empty() &&
            (best < 0 || served_[level] < served_[static_cast<size_t>(best)])) {
            best = i;
        }
    }
    if (best < 0) {
        return nullptr;
    }
    auto level = static_cast<size_t>(best);
    served_[level] += int64_t{1} << best;
    auto task = std::move(queues_[level].front());
    queues_[level].pop_front();
    return task;
}

void TaskScheduler::run_worker() {
    while (true) {
        std::shared_ptr<Schedulable> task;
        {
            std::unique_lock lock(mutex_);
            wakeup_.wait(lock, [this] {
                return stopping_ ||
                       std::any_of(queues_.begin(), queues_.end(), [](const auto& queue) {
                           return !queue.empty();
                       });
            });
            if (stopping_) {
                return;
            }
            task = pop_locked();
        }
        task->run_slice();
    }
}

}  // namespace thetis
