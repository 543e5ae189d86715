// SPDX-License-Identifier: Apache-2.0
#include "storage/tablet/row_cache.h"

#include "base/hash.h"
#include "io/cache/segmented_lru.h"

namespace thetis {

namespace {

constexpr size_t kNumShards = 64;

/// Points into the row it is the key of, or into that of a search.
struct Key {
    uint64_t tablet_instance = 0;
    uint64_t hash = 0;
    std::string_view key;
    bool operator==(const Key&) const = default;
};

struct KeyHash {
    size_t operator()(const Key& key) const { return hash_combine(key.hash, key.tablet_instance); }
};

}  // namespace

CachedRow::CachedRow(std::string_view key, std::string row, int64_t version, MemoryTracker* memory)
    : key_(key), row_(std::move(row)), version_(version), memory_(memory) {
    if (memory_ != nullptr) {
        memory_->consume(static_cast<int64_t>(memory_bytes()));
    }
}

CachedRow::~CachedRow() {
    if (memory_ != nullptr) {
        memory_->release(static_cast<int64_t>(memory_bytes()));
    }
}

void CachedRow::verified_at(int64_t version) const {
    int64_t known = this->version();
    while (known < version &&
           !version_.compare_exchange_weak(known, version, std::memory_order_relaxed)) {
    }
}

class RowCache::Shard : public SegmentedLru<Key, CachedRowPtr, KeyHash> {
    using SegmentedLru::SegmentedLru;
};

RowCache::RowCache(size_t capacity_bytes, std::shared_ptr<MemoryTracker> memory)
    : memory_(std::move(memory)) {
    for (size_t i = 0; i < kNumShards; ++i) {
        shards_.push_back(std::make_unique<Shard>(capacity_bytes / kNumShards));
    }
}

RowCache::~RowCache() = default;

RowCache::Shard& RowCache::shard(uint64_t tablet_instance, uint64_t hash) const {
    return *shards_[(hash_combine(hash, tablet_instance) >> 40) % kNumShards];
}

CachedRowPtr RowCache::find(uint64_t tablet_instance, std::string_view key, uint64_t hash) {
    return shard(tablet_instance, hash).find({tablet_instance, hash, key});
}

void RowCache::insert(
    uint64_t tablet_instance, std::string_view key, uint64_t hash, std::string row, int64_t version
) {
    auto made = std::make_shared<const CachedRow>(key, std::move(row), version, memory_.get());
    const Key own{tablet_instance, hash, made->key()};
    const size_t size_bytes = made->memory_bytes();
    shard(tablet_instance, hash)
        .insert(own, std::move(made), size_bytes, [version](const CachedRowPtr& present) {
            return present->version() <= version;
        });
}

void RowCache::clear() {
    for (const auto& each : shards_) {
        each->clear();
    }
}

RowCache::Counts RowCache::counts() const {
    Counts total;
    for (const auto& each : shards_) {
        const auto counts = each->counts();
        total.evictions += counts.evictions;
        total.bytes += counts.bytes;
        total.rows += counts.entries;
    }
    return total;
}

}  // namespace thetis
