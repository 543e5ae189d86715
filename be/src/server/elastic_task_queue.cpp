// SPDX-License-Identifier: Apache-2.0
#include "server/elastic_task_queue.h"

#include <chrono>
#include <thread>

#include "base/thread/thread_pool.h"

namespace thetis {

namespace {

constexpr auto kIdle = std::chrono::seconds(10);

}  // namespace

ElasticTaskQueue::~ElasticTaskQueue() {
    shutdown();
}

void ElasticTaskQueue::enqueue(std::function<void()> task) {
    std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    if (num_idle_ >= tasks_.size() || num_threads_ >= max_threads_ || stopping_) {
        wake_.notify_one();
        return;
    }
    ++num_threads_;
    // Detached: shutdown() waits for the count, which the thread lowers as its last act under the
    // lock.
    std::thread([this] {
        set_thread_name("http");
        run();
    }).detach();
}

void ElasticTaskQueue::run() {
    std::unique_lock lock(mutex_);
    for (;;) {
        ++num_idle_;
        bool has_work =
            wake_.wait_for(lock, kIdle, [this] { return !tasks_.empty() || stopping_; });
        --num_idle_;
        if (tasks_.empty() && (stopping_ || !has_work)) {
            break;
        }
        if (tasks_.empty()) {
            continue;
        }
        auto task = std::move(tasks_.front());
        tasks_.pop_front();
        lock.unlock();
        task();
        task = nullptr;
        lock.lock();
    }
    --num_threads_;
    ended_.notify_all();
}

void ElasticTaskQueue::shutdown() {
    std::unique_lock lock(mutex_);
    stopping_ = true;
    wake_.notify_all();
    ended_.wait(lock, [this] { return num_threads_ == 0; });
}

}  // namespace thetis
