// SPDX-License-Identifier: Apache-2.0
#include "io/cache/page_cache.h"

#include "base/hash.h"
#include "io/cache/segmented_lru.h"

namespace thetis {

namespace {

struct KeyHash {
    size_t operator()(const PageCache::Key& key) const {
        return hash_int(key.file_id * 0x9E3779B97F4A7C15ULL + key.offset);
    }
};

}  // namespace

struct PageCache::Shard : SegmentedLru<Key, CachedPagePtr, KeyHash> {
    using SegmentedLru::SegmentedLru;
};

PageCache::PageCache(
    size_t capacity_bytes, std::shared_ptr<MemoryTracker> memory, size_t num_shards
)
    : capacity_bytes_(capacity_bytes), memory_(std::move(memory)) {
    for (size_t i = 0; i < std::max<size_t>(num_shards, 1); ++i) {
        shards_.push_back(std::make_unique<Shard>(capacity_bytes / std::max<size_t>(num_shards, 1))
        );
    }
}

PageCache::~PageCache() = default;

PageCache::Shard& PageCache::shard(const Key& key) const {
    return *shards_[(KeyHash()(key) >> 40) % shards_.size()];
}

CachedPagePtr PageCache::find(const Key& key) {
    return shard(key).find(key);
}

void PageCache::insert(const Key& key, CachedPagePtr page) {
    const size_t size_bytes = page->memory_bytes();
    shard(key).insert(key, std::move(page), size_bytes, [](const CachedPagePtr&) { return false; });
}

void PageCache::clear() {
    for (auto& each : shards_) {
        each->clear();
    }
}

PageCache::Counts PageCache::counts() const {
    Counts total;
    for (const auto& each : shards_) {
        const auto counts = each->counts();
        total.hits += counts.hits;
        total.misses += counts.misses;
        total.evictions += counts.evictions;
        total.bytes += counts.bytes;
        total.pages += counts.entries;
    }
    return total;
}

}  // namespace thetis
