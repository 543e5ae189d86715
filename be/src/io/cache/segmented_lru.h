// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <unordered_map>
#include <utility>

#include "base/thread/mutex.h"

namespace thetis {

/// One shard of a cache, bounded by bytes. An entry comes in on probation; only a second use
/// promotes it, and promoted entries keep to three quarters of the room: one big scan cannot push
/// out what is used again and again (segmented LRU after Karedla et al., "Caching Strategies to
/// Improve Disk System Performance", 1994). `Value` is copied out, so it is a shared pointer; keys
/// may point into their values. Thread-safe; values are freed outside the lock.
template <typename Key, typename Value, typename Hash>
class SegmentedLru {
public:
    /// What an entry takes besides its value: list node, map node, control block.
    static constexpr size_t kEntryBytes = 160;

    struct Counts {
        int64_t hits = 0;
        int64_t misses = 0;
        int64_t evictions = 0;
        int64_t bytes = 0;
        int64_t entries = 0;
    };

    explicit SegmentedLru(size_t capacity_bytes) : capacity_bytes_(capacity_bytes) {}

    /// An empty value when the key is not here.
    Value find(const Key& key) {
        MutexLock lock(mutex_);
        const auto found = positions_.find(key);
        if (found == positions_.end()) {
            ++counts_.misses;
            return {};
        }
        ++counts_.hits;
        const Position& position = found->second;
        if (position->is_protected) {
            protected_.splice(protected_.begin(), protected_, position);
        } else {
            position->is_protected = true;
            probation_bytes_ -= position->size_bytes;
            protected_bytes_ += position->size_bytes;
            protected_.splice(protected_.begin(), probation_, position);
            demote();
        }
        return position->value;
    }

    /// What is here under the key stays unless `replaces(present)`; a new value then takes its
    /// place, promoted or not. Values of more than a quarter of the room are not taken.
    template <typename Replaces>
    void insert(const Key& key, Value value, size_t size_bytes, const Replaces& replaces) {
        size_bytes += kEntryBytes;
        Entries dropped;  // Freed after the lock.
        MutexLock lock(mutex_);
        if (size_bytes > capacity_bytes_ / 4) {
            return;
        }
        bool is_protected = false;
        if (const auto present = positions_.find(key); present != positions_.end()) {
            if (!replaces(present->second->value)) {
                return;
            }
            is_protected = present->second->is_protected;
            drop(present->second, dropped);
        }
        Entries& entries = is_protected ? protected_ : probation_;
        entries.push_front(Entry{key, std::move(value), size_bytes, is_protected});
        positions_.emplace(key, entries.begin());
        (is_protected ? protected_bytes_ : probation_bytes_) += size_bytes;
        demote();
        while (probation_bytes_ + protected_bytes_ > capacity_bytes_) {
            drop(std::prev((probation_.empty() ? protected_ : probation_).end()), dropped);
            ++counts_.evictions;
        }
    }

    void clear() {
        Entries probation;
        Entries protected_entries;
        MutexLock lock(mutex_);
        probation.swap(probation_);
        protected_entries.swap(protected_);
        positions_.clear();
        probation_bytes_ = protected_bytes_ = 0;
    }

    Counts counts() const {
        MutexLock lock(mutex_);
        Counts counts = counts_;
        counts.bytes = static_cast<int64_t>(probation_bytes_ + protected_bytes_);
        counts.entries = static_cast<int64_t>(positions_.size());
        return counts;
    }

private:
    struct Entry {
        Key key;
        Value value;
        size_t size_bytes;
        bool is_protected;
    };

    using Entries = std::list<Entry>;
    using Position = typename Entries::iterator;

    void demote() REQUIRES(mutex_) {
        while (protected_bytes_ > capacity_bytes_ / 4 * 3) {
            const Position oldest = std::prev(protected_.end());
            oldest->is_protected = false;
            protected_bytes_ -= oldest->size_bytes;
            probation_bytes_ += oldest->size_bytes;
            probation_.splice(probation_.begin(), protected_, oldest);
        }
    }

    void drop(Position position, Entries& dropped) REQUIRES(mutex_) {
        (position->is_protected ? protected_bytes_ : probation_bytes_) -= position->size_bytes;
        positions_.erase(position->key);
        dropped.splice(dropped.begin(), position->is_protected ? protected_ : probation_, position);
    }

    const size_t capacity_bytes_;
    mutable Mutex mutex_;                   // Guards all below.
    Entries probation_ GUARDED_BY(mutex_);  // Both most recently used first.
    Entries protected_ GUARDED_BY(mutex_);
    size_t probation_bytes_ GUARDED_BY(mutex_) = 0;
    size_t protected_bytes_ GUARDED_BY(mutex_) = 0;
    std::unordered_map<Key, Position, Hash> positions_ GUARDED_BY(mutex_);
    Counts counts_ GUARDED_BY(mutex_);
};

}  // namespace thetis
