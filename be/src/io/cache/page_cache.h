// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/memory/tracker.h"
#include "base/thread/mutex.h"

namespace thetis {

/// What the cache holds: any immutable thing that knows its size.
class CachedPage {
public:
    virtual ~CachedPage() = default;
    virtual size_t memory_bytes() const = 0;
};

using CachedPagePtr = std::shared_ptr<const CachedPage>;

/// Pages in memory, bounded by bytes, spread over shards that keep what is used again
/// (SegmentedLru). Thread-safe. A page taken from the cache stays alive as long as it is held,
/// evicted or not.
class PageCache {
public:
    struct Key {
        uint64_t file_id = 0;  ///< Unique among the files opened by this process.
        uint64_t offset = 0;
        bool operator==(const Key&) const = default;
    };

    struct Counts {
        int64_t hits = 0;
        int64_t misses = 0;
        int64_t evictions = 0;
        int64_t bytes = 0;
        int64_t pages = 0;
    };

    /// `capacity_bytes` 0 keeps nothing.
    explicit PageCache(
        size_t capacity_bytes,
        std::shared_ptr<MemoryTracker> memory = nullptr,
        size_t num_shards = 16
    );
    ~PageCache();

    /// Null when it is not here.
    CachedPagePtr find(const Key& key);
    void insert(const Key& key, CachedPagePtr page);
    void clear();
    Counts counts() const;

    size_t capacity_bytes() const { return capacity_bytes_; }

    /// What pages made for the cache count against; may be null.
    const std::shared_ptr<MemoryTracker>& memory() const { return memory_; }

private:
    struct Shard;
    Shard& shard(const Key& key) const;

    const size_t capacity_bytes_;
    const std::shared_ptr<MemoryTracker> memory_;
    std::vector<std::unique_ptr<Shard>> shards_;
};

}  // namespace thetis
