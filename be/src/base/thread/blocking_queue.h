// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <optional>

#include "base/thread/mutex.h"

namespace thetis {

/// Bounded queue between threads; every wait has a deadline. Thread-safe.
template <typename T>
class BlockingQueue {
public:
    explicit BlockingQueue(size_t capacity) : capacity_(capacity) {}

    /// False when closed or when there was no room before the deadline; the element is then
    /// dropped.
    bool put(T element, SteadyTime deadline) {
        MutexLock lock(mutex_);
        while (elements_.size() >= capacity_ && !closed_) {
            if (!room_.wait_until(mutex_, deadline) &&
                std::chrono::steady_clock::now() >= deadline) {
                return false;
            }
        }
        if (closed_) {
            return false;
        }
        elements_.push_back(std::move(element));
        filled_.notify_one();
        return true;
    }

    /// Next element; nothing when the deadline passed, or when the queue is closed and empty.
    std::optional<T> take(SteadyTime deadline) {
        MutexLock lock(mutex_);
        while (elements_.empty() && !closed_) {
            if (!filled_.wait_until(mutex_, deadline) &&
                std::chrono::steady_clock::now() >= deadline) {
                return std::nullopt;
            }
        }
        return pop();
    }

    std::optional<T> try_take() {
        MutexLock lock(mutex_);
        return pop();
    }

    /// Later puts fail; takes drain what is there and then return nothing.
    void close() {
        MutexLock lock(mutex_);
        closed_ = true;
        room_.notify_all();
        filled_.notify_all();
    }

    bool closed() const {
        MutexLock lock(mutex_);
        return closed_;
    }

    size_t size() const {
        MutexLock lock(mutex_);
        return elements_.size();
    }

private:
    std::optional<T> pop() REQUIRES(mutex_) {
        if (elements_.empty()) {
            return std::nullopt;
        }
        std::optional<T> element(std::move(elements_.front()));
        elements_.pop_front();
        room_.notify_one();
        return element;
    }

    const size_t capacity_;
    mutable Mutex mutex_;  // Guards all below.
    CondVar room_;
    CondVar filled_;
    std::deque<T> elements_ GUARDED_BY(mutex_);
    bool closed_ GUARDED_BY(mutex_) = false;
};

}  // namespace thetis
