// SPDX-License-Identifier: Apache-2.0
#include "base/thread/thread_pool.h"

#include <pthread.h>

namespace thetis {

namespace {

// Waits are cut into pieces so that none is without an end; a missed wake-up costs at most this.
constexpr std::chrono::seconds kWaitSlice{1};

}  // namespace

void set_thread_name(const std::string& name) {
    pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());
}

ThreadPool::ThreadPool(std::string name, int num_threads, int max_queued)
    : name_(std::move(name)), num_threads_(std::max(1, num_threads)), max_queued_(max_queued) {
    for (int i = 0; i < num_threads_; ++i) {
        threads_.emplace_back([this, i] {
            set_thread_name(fmt::format("{}-{}", name_, i));
            run();
        });
    }
}

ThreadPool::~ThreadPool() {
    shutdown();
}

Status ThreadPool::submit(std::function<void()> task) {
    {
        MutexLock lock(mutex_);
        if (stopping_) {
            return Status::error(ErrorCode::kCancelled, "Thread pool {} is shut down", name_);
        }
        if (max_queued_ > 0 && static_cast<int>(tasks_.size()) >= max_queued_) {
            return Status::error(
                ErrorCode::kInternal, "Thread pool {} is full: {} tasks wait", name_, tasks_.size()
            );
        }
        tasks_.push_back(std::move(task));
    }
    wake_.notify_one();
    return {};
}

void ThreadPool::run() {
    for (;;) {
        std::function<void()> task;
        {
            MutexLock lock(mutex_);
            while (tasks_.empty() && !stopping_) {
                wake_.wait_for(mutex_, kWaitSlice);
            }
            if (tasks_.empty()) {
                return;
            }
            task = std::move(tasks_.front());
            tasks_.pop_front();
            ++num_running_;
        }
        task();
        task = nullptr;  // What the task holds goes before the pool looks idle.
        MutexLock lock(mutex_);
        --num_running_;
        if (num_running_ == 0 && tasks_.empty()) {
            idle_.notify_all();
        }
    }
}

void ThreadPool::shutdown(bool drop_queued) {
    std::deque<std::function<void()>> dropped;
    {
        MutexLock lock(mutex_);
        stopping_ = true;
        if (drop_queued) {
            dropped.swap(tasks_);
        }
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) {
        if (thread.joinable()) {
            thread.join();
        }
    }
}

bool ThreadPool::wait_idle(SteadyTime deadline) {
    MutexLock lock(mutex_);
    while (num_running_ > 0 || !tasks_.empty()) {
        if (!idle_.wait_until(mutex_, deadline) && std::chrono::steady_clock::now() >= deadline) {
            return num_running_ == 0 && tasks_.empty();
        }
    }
    return true;
}

int ThreadPool::num_queued() const {
    MutexLock lock(mutex_);
    return static_cast<int>(tasks_.size());
}

int ThreadPool::num_running() const {
    MutexLock lock(mutex_);
    return num_running_;
}

}  // namespace thetis
