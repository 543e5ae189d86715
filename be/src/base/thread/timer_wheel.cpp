// SPDX-License-Identifier: Apache-2.0
#include "base/thread/timer_wheel.h"

#include "base/thread/thread_pool.h"

namespace thetis {

TimerWheel::TimerWheel() : thread_([this] { run(); }) {}

TimerWheel::~TimerWheel() {
    stop();
}

TimerWheel::Id TimerWheel::schedule(
    std::chrono::milliseconds delay, std::function<void()> callback
) {
    const SteadyTime when = std::chrono::steady_clock::now() + delay;
    MutexLock lock(mutex_);
    const Id id = next_id_++;
    if (stopping_) {
        return id;
    }
    const bool is_first = pending_.empty() || when < pending_.begin()->first.first;
    pending_.emplace(std::pair(when, id), std::move(callback));
    times_.emplace(id, when);
    if (is_first) {
        wake_.notify_one();
    }
    return id;
}

bool TimerWheel::cancel(Id id) {
    std::function<void()> dropped;
    MutexLock lock(mutex_);
    if (auto time = times_.find(id); time != times_.end()) {
        auto entry = pending_.find(std::pair(time->second, id));
        dropped = std::move(entry->second);
        pending_.erase(entry);
        times_.erase(time);
        return true;
    }
    while (running_ == id && std::this_thread::get_id() != thread_.get_id()) {
        done_.wait_for(mutex_, std::chrono::milliseconds(100));
    }
    return false;
}

void TimerWheel::run() {
    set_thread_name("timer");
    MutexLock lock(mutex_);
    while (!stopping_) {
        if (pending_.empty()) {
            wake_.wait_for(mutex_, std::chrono::seconds(10));
            continue;
        }
        auto first = pending_.begin();
        if (first->first.first > std::chrono::steady_clock::now()) {
            const SteadyTime when = first->first.first;
            wake_.wait_until(mutex_, when);
            continue;
        }
        std::function<void()> callback = std::move(first->second);
        running_ = first->first.second;
        times_.erase(running_);
        pending_.erase(first);
        lock.unlock();
        callback();
        callback = nullptr;
        lock.lock();
        running_ = 0;
        done_.notify_all();
    }
}

void TimerWheel::stop() {
    std::map<std::pair<SteadyTime, Id>, std::function<void()>> dropped;
    {
        MutexLock lock(mutex_);
        stopping_ = true;
        dropped.swap(pending_);
        times_.clear();
        wake_.notify_all();
    }
    if (thread_.joinable()) {
        thread_.join();
    }
}

size_t TimerWheel::num_pending() const {
    MutexLock lock(mutex_);
    return pending_.size();
}

}  // namespace thetis
