// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory/tracker.h"

namespace thetis {

/// What was found under a key of one tablet. Immutable but for its version.
class CachedRow {
public:
    /// `memory` may be null, and outlives the row.
    CachedRow(std::string_view key, std::string row, int64_t version, MemoryTracker* memory);
    ~CachedRow();
    CachedRow(const CachedRow&) = delete;
    CachedRow& operator=(const CachedRow&) = delete;

    std::string_view key() const { return key_; }

    /// As RowCellReader reads it; empty: there is no row.
    std::string_view row() const { return row_; }

    /// The last version at which this was known to hold.
    int64_t version() const { return version_.load(std::memory_order_relaxed); }

    /// It still holds at this version. Never goes back.
    void verified_at(int64_t version) const;

    size_t memory_bytes() const { return sizeof(*this) + key_.capacity() + row_.capacity(); }

private:
    const std::string key_;
    const std::string row_;
    mutable std::atomic<int64_t> version_;  // Says nothing of other memory.
    MemoryTracker* const memory_;
};

using CachedRowPtr = std::shared_ptr<const CachedRow>;

/// Rows by tablet and encoded key, for key look-ups; also keys without a row. Knows nothing of
/// publishes: whoever finds an entry of an earlier version than its own asks the rowsets above that
/// version whether it still holds (PointReader). Bounded by bytes, sharded, not flushed by scans of
/// keys that are asked for once. Thread-safe.
class RowCache {
public:
    struct Counts {
        int64_t evictions = 0;
        int64_t bytes = 0;
        int64_t rows = 0;
    };

    /// `memory` may be null: what rows are counted against.
    explicit RowCache(size_t capacity_bytes, std::shared_ptr<MemoryTracker> memory = nullptr);
    ~RowCache();

    /// `hash` is any hash of the key, always the same. Null when it is not here.
    CachedRowPtr find(uint64_t tablet_instance, std::string_view key, uint64_t hash);

    /// Takes the place of what is there unless that is of a later version. `row` empty: no row.
    void insert(
        uint64_t tablet_instance,
        std::string_view key,
        uint64_t hash,
        std::string row,
        int64_t version
    );

    void clear();
    Counts counts() const;

private:
    class Shard;
    Shard& shard(uint64_t tablet_instance, uint64_t hash) const;

    const std::shared_ptr<MemoryTracker> memory_;
    std::vector<std::unique_ptr<Shard>> shards_;
};

}  // namespace thetis
