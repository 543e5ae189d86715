// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>

#if defined(__clang__)
#define THETIS_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define THETIS_THREAD_ANNOTATION(x)
#endif

// abseil, which comes with gRPC, has some of these under the same names and with the same meaning.
#ifndef GUARDED_BY
#define GUARDED_BY(x) THETIS_THREAD_ANNOTATION(guarded_by(x))
#endif
#ifndef PT_GUARDED_BY
#define PT_GUARDED_BY(x) THETIS_THREAD_ANNOTATION(pt_guarded_by(x))
#endif
#define REQUIRES(...) THETIS_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
#define REQUIRES_SHARED(...) THETIS_THREAD_ANNOTATION(requires_shared_capability(__VA_ARGS__))
#define EXCLUDES(...) THETIS_THREAD_ANNOTATION(locks_excluded(__VA_ARGS__))
#ifndef ACQUIRED_AFTER
#define ACQUIRED_AFTER(...) THETIS_THREAD_ANNOTATION(acquired_after(__VA_ARGS__))
#endif
#ifndef NO_THREAD_SAFETY_ANALYSIS
#define NO_THREAD_SAFETY_ANALYSIS THETIS_THREAD_ANNOTATION(no_thread_safety_analysis)
#endif

namespace thetis {

using SteadyTime = std::chrono::steady_clock::time_point;

/// std::mutex that clang's thread-safety analysis understands. Fields say GUARDED_BY(mutex_).
class THETIS_THREAD_ANNOTATION(capability("mutex")) Mutex {
public:
    Mutex() = default;
    Mutex(const Mutex&) = delete;
    Mutex& operator=(const Mutex&) = delete;

    void lock() THETIS_THREAD_ANNOTATION(acquire_capability()) { mutex_.lock(); }

    void unlock() THETIS_THREAD_ANNOTATION(release_capability()) { mutex_.unlock(); }

    bool try_lock() THETIS_THREAD_ANNOTATION(try_acquire_capability(true)) {
        return mutex_.try_lock();
    }

private:
    std::mutex mutex_;
};

/// Holds a Mutex for a scope.
class THETIS_THREAD_ANNOTATION(scoped_lockable) MutexLock {
public:
    explicit MutexLock(Mutex& mutex) THETIS_THREAD_ANNOTATION(acquire_capability(mutex))
        : mutex_(mutex) {
        mutex_.lock();
    }

    ~MutexLock() THETIS_THREAD_ANNOTATION(release_capability()) {
        if (held_) {
            mutex_.unlock();
        }
    }

    MutexLock(const MutexLock&) = delete;
    MutexLock& operator=(const MutexLock&) = delete;

    /// Gives the mutex up before the scope ends.
    void unlock() THETIS_THREAD_ANNOTATION(release_capability()) {
        held_ = false;
        mutex_.unlock();
    }

    void lock() THETIS_THREAD_ANNOTATION(acquire_capability()) {
        mutex_.lock();
        held_ = true;
    }

private:
    Mutex& mutex_;
    bool held_ = true;
};

/// Reader-writer lock with the same annotations.
class THETIS_THREAD_ANNOTATION(capability("shared_mutex")) SharedMutex {
public:
    SharedMutex() = default;
    SharedMutex(const SharedMutex&) = delete;
    SharedMutex& operator=(const SharedMutex&) = delete;

    void lock() THETIS_THREAD_ANNOTATION(acquire_capability()) { mutex_.lock(); }

    void unlock() THETIS_THREAD_ANNOTATION(release_capability()) { mutex_.unlock(); }

    void lock_shared() THETIS_THREAD_ANNOTATION(acquire_shared_capability()) {
        mutex_.lock_shared();
    }

    void unlock_shared() THETIS_THREAD_ANNOTATION(release_shared_capability()) {
        mutex_.unlock_shared();
    }

private:
    std::shared_mutex mutex_;
};

class THETIS_THREAD_ANNOTATION(scoped_lockable) WriterLock {
public:
    explicit WriterLock(SharedMutex& mutex) THETIS_THREAD_ANNOTATION(acquire_capability(mutex))
        : mutex_(mutex) {
        mutex_.lock();
    }

    ~WriterLock() THETIS_THREAD_ANNOTATION(release_capability()) { mutex_.unlock(); }

    WriterLock(const WriterLock&) = delete;
    WriterLock& operator=(const WriterLock&) = delete;

private:
    SharedMutex& mutex_;
};

class THETIS_THREAD_ANNOTATION(scoped_lockable) ReaderLock {
public:
    explicit ReaderLock(SharedMutex& mutex)
        THETIS_THREAD_ANNOTATION(acquire_shared_capability(mutex))
        : mutex_(mutex) {
        mutex_.lock_shared();
    }

    ~ReaderLock() THETIS_THREAD_ANNOTATION(release_generic_capability()) { mutex_.unlock_shared(); }

    ReaderLock(const ReaderLock&) = delete;
    ReaderLock& operator=(const ReaderLock&) = delete;

private:
    SharedMutex& mutex_;
};

/// Condition variable for Mutex. There is no wait without a deadline on purpose.
class CondVar {
public:
    /// False when `deadline` came first; spurious wake-ups happen, so callers loop over their
    /// condition.
    bool wait_until(Mutex& mutex, SteadyTime deadline) REQUIRES(mutex) NO_THREAD_SAFETY_ANALYSIS {
        return condition_.wait_until(mutex, deadline) == std::cv_status::no_timeout;
    }

    bool wait_for(Mutex& mutex, std::chrono::microseconds timeout)
        REQUIRES(mutex) NO_THREAD_SAFETY_ANALYSIS {
        return condition_.wait_for(mutex, timeout) == std::cv_status::no_timeout;
    }

    void notify_one() { condition_.notify_one(); }

    void notify_all() { condition_.notify_all(); }

private:
    std::condition_variable_any condition_;
};

}  // namespace thetis
