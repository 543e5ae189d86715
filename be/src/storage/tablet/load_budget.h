// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/thread/mutex.h"

namespace thetis {

/// The memory that the memtables of all loads share. Past the soft limit the largest memtables are
/// flushed first, whoever owns them; past the limit writers wait, but only while flushes run, so
/// that no load can lock up another. Thread-safe.
class LoadBudget {
public:
    /// A writer with a memtable. Called with the budget's lock held: must neither wait nor call the
    /// budget's join() or leave().
    class Member {
    public:
        virtual ~Member() = default;
        /// Bytes that try_flush() would hand to the flush pool.
        virtual int64_t flushable_bytes() const = 0;
        /// Hands the memtable to the flush pool if that is possible at once.
        virtual bool try_flush() = 0;
    };

    explicit LoadBudget(int64_t limit_bytes) : limit_bytes_(limit_bytes) {}

    void join(Member& member);
    void leave(Member& member);

    /// A memtable grew, or shrank without a flush.
    void add(int64_t bytes) { used_bytes_.fetch_add(bytes, std::memory_order_relaxed); }

    void flush_started(int64_t bytes) {
        flushing_bytes_.fetch_add(bytes, std::memory_order_relaxed);
    }

    /// The memory of a flushed memtable is free again.
    void flush_ended(int64_t bytes);

    int64_t used_bytes() const { return used_bytes_.load(std::memory_order_relaxed); }

    /// Past the soft limit (four fifths), starts flushes of the largest memtables until those that
    /// go on filling take at most three fifths. Never waits.
    void relieve();

    /// Past the limit, waits for running flushes.
    void wait_for_room(SteadyTime deadline);

private:
    int64_t filling_bytes() const {
        return used_bytes() - flushing_bytes_.load(std::memory_order_relaxed);
    }

    const int64_t limit_bytes_;
    // Steering values that may be a little late: relaxed order is enough.
    std::atomic<int64_t> used_bytes_{0};
    std::atomic<int64_t> flushing_bytes_{0};

    Mutex mutex_;  // Guards members_; held over calls of members.
    std::vector<Member*> members_ GUARDED_BY(mutex_);

    Mutex room_mutex_;  // Taken inside mutex_; orders flush_ended() and waiters.
    CondVar room_;
};

}  // namespace thetis
