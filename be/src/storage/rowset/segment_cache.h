// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <vector>

#include "base/metrics.h"
#include "base/thread/mutex.h"

namespace thetis {

/// Something that keeps segments open from one use to the next: a rowset, or what key look-ups have
/// of a tablet. Whoever derives from it calls SegmentCache::remove() in its destructor.
class SegmentHolder {
public:
    /// What is let go, to be destroyed without locks: files are closed with it.
    using Released = std::vector<std::shared_ptr<const void>>;

    SegmentHolder() = default;
    SegmentHolder(const SegmentHolder&) = delete;
    SegmentHolder& operator=(const SegmentHolder&) = delete;

protected:
    ~SegmentHolder() = default;

private:
    friend class SegmentCache;

    /// Whether it was used since the last call. Under the lock of the cache.
    virtual bool was_used() const = 0;
    /// Moves what it keeps open to `released`, unless somebody reads that now; gives the number of
    /// segments, -1 when it keeps them. Under the lock of the cache.
    virtual int64_t release(Released& released) const = 0;

    mutable std::list<const SegmentHolder*>::iterator place_;  // Under the lock of the cache.
    // Set under the lock of the cache. Cleared last of all that the cache does with a holder, so a
    // destructor that finds it cleared need not wait for the lock.
    mutable std::atomic<bool> is_listed_{false};
};

/// Bounds the segment files that are open: holders whose segments were not used lately let go of
/// them when there are more than the capacity. Segments that are being read stay open and count, so
/// readers alone can exceed it. Which holder is next is found by a clock: a use only sets a flag of
/// the holder, and the lock is taken where files are opened. Thread-safe.
class SegmentCache {
public:
    struct Counts {
        int64_t capacity = 0;
        int64_t open = 0;       ///< Segments open now, whoever keeps them.
        int64_t evictions = 0;  ///< How often a holder let go of its segments to make room.
    };

    explicit SegmentCache(int64_t capacity);

    /// To be called after the holder opened segments; makes room by letting go of others.
    void add(const SegmentHolder& holder);
    /// The holder keeps nothing open any more. Idempotent.
    void remove(const SegmentHolder& holder);
    /// Makes room where readers have ended meanwhile.
    void trim();
    /// Lets go of all that nobody reads.
    void clear();

    Counts counts() const;

    /// What segments count themselves in, from open to destruction.
    const std::shared_ptr<Gauge>& open_segments() const { return open_; }

private:
    /// `retry`: also when the last attempt found that readers hold everything.
    void make_room(int64_t capacity, bool retry);
    /// Goes around once at most; false when nothing changed.
    bool sweep(int64_t capacity, SegmentHolder::Released& released) REQUIRES(mutex_);
    void unlist(const SegmentHolder& holder) REQUIRES(mutex_);

    const int64_t capacity_;
    const std::shared_ptr<Gauge> open_;
    Counter evictions_;
    Mutex mutex_;  // Guards all below and places of holders; before the locks of holders.
    std::list<const SegmentHolder*> holders_ GUARDED_BY(mutex_);
    std::list<const SegmentHolder*>::iterator hand_ GUARDED_BY(mutex_);
    int64_t retry_at_ GUARDED_BY(mutex_) = 0;
};

/// How many segments may be open where the process may have `max_files` open files: `share_percent`
/// of them, or `configured` (-1: not set) if that is less.
int64_t segment_cache_capacity(int64_t configured, int64_t share_percent, int64_t max_files);

/// How many files this process may have open.
int64_t max_open_files();

}  // namespace thetis
