// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace thetis {

/// Something that can be told "try again": a pipeline task. Waking is always safe, at any time and
/// any number of times.
class Waiter {
public:
    virtual ~Waiter() = default;
    virtual void wake() = 0;
};

/// A condition a task parks on instead of blocking a worker. Thread-safe. Whoever makes the
/// condition true calls set_ready(), which wakes everybody who waits; a condition may become false
/// again with reset().
class Dependency {
public:
    explicit Dependency(bool ready = false) : ready_(ready) {}

    /// Acquire: what the waker wrote before set_ready() is visible afterwards.
    bool is_ready() const { return ready_.load(std::memory_order_acquire); }

    void set_ready();

    /// Back to "not ready". Callers order this with their own lock against set_ready().
    void reset();

    /// Remembers `waiter` until the next set_ready(); false (and nothing remembered) when the
    /// condition already holds.
    bool wait(std::weak_ptr<Waiter> waiter);

private:
    std::atomic<bool> ready_;
    std::mutex mutex_;  // Guards waiters_ and the step of ready_ to true. Innermost: no other lock
                        // is taken under it.
    std::vector<std::weak_ptr<Waiter>> waiters_;
};

using DependencyPtr = std::shared_ptr<Dependency>;

}  // namespace thetis
