// SPDX-License-Identifier: Apache-2.0
#include "io/cache/page_cache.h"

#include "base/hash.h"

namespace thetis {

namespace {

struct KeyHash {
    size_t operator()(const PageCache::Key& key) const {
        return hash_int(key.file_id * 0x9E3779B97F4A7C15ULL + key.offset);
    }
};

}  // namespace

/// One lock's part of the cache: two lists, most recently used first.
class PageCache::Shard {
public:
    explicit Shard(size_t capacity_bytes) : capacity_bytes_(capacity_bytes) {}

    CachedPagePtr find(const Key& key) {
        MutexLock lock(mutex_);
        auto found = positions_.find(key);
        if (found == positions_.end()) {
            ++counts_.misses;
            return nullptr;
        }
        ++counts_.hits;
        Position& position = found->second;
        if (position->is_protected) {
            protected_.splice(protected_.begin(), protected_, position);
        } else {
            position->is_protected = true;
            probation_bytes_ -= position->size_bytes;
            protected_bytes_ += position->size_bytes;
            protected_.splice(protected_.begin(), probation_, position);
            demote();
        }
        return position->page;
    }

    void insert(const Key& key, CachedPagePtr page) {
        const size_t size_bytes = page->memory_bytes() + kEntryBytes;
        Pages evicted;  // Freed after the lock.
        MutexLock lock(mutex_);
        if (size_bytes > capacity_bytes_ / 4 || positions_.contains(key)) {
            return;
        }
        probation_.push_front(Entry{key, std::move(page), size_bytes, false});
        positions_.emplace(key, probation_.begin());
        probation_bytes_ += size_bytes;
        while (probation_bytes_ + protected_bytes_ > capacity_bytes_) {
            evict(evicted);
        }
    }

    void clear() {
        Pages probation;
        Pages protected_pages;
        MutexLock lock(mutex_);
        probation.swap(probation_);
        protected_pages.swap(protected_);
        positions_.clear();
        probation_bytes_ = protected_bytes_ = 0;
    }

    Counts counts() const {
        MutexLock lock(mutex_);
        Counts counts = counts_;
        counts.bytes = static_cast<int64_t>(probation_bytes_ + protected_bytes_);
        counts.pages = static_cast<int64_t>(positions_.size());
        return counts;
    }

private:
    struct Entry {
        Key key;
        CachedPagePtr page;
        size_t size_bytes;
        bool is_protected;
    };

    using Pages = std::list<Entry>;
    using Position = Pages::iterator;

    static constexpr size_t kEntryBytes = 160;  // List node, map node, control block.

    // Protected pages keep to three quarters; the oldest go back to probation.
    void demote() REQUIRES(mutex_) {
        while (protected_bytes_ > capacity_bytes_ / 4 * 3) {
            Position oldest = std::prev(protected_.end());
            oldest->is_protected = false;
            protected_bytes_ -= oldest->size_bytes;
            probation_bytes_ += oldest->size_bytes;
            probation_.splice(probation_.begin(), protected_, oldest);
        }
    }

    void evict(Pages& evicted) REQUIRES(mutex_) {
        Pages& from = probation_.empty() ? protected_ : probation_;
        size_t& bytes = probation_.empty() ? protected_bytes_ : probation_bytes_;
        Position oldest = std::prev(from.end());
        bytes -= oldest->size_bytes;
        positions_.erase(oldest->key);
        evicted.splice(evicted.begin(), from, oldest);
        ++counts_.evictions;
    }

    const size_t capacity_bytes_;
    mutable Mutex mutex_;  // Guards all below.
    Pages probation_ GUARDED_BY(mutex_);
    Pages protected_ GUARDED_BY(mutex_);
    size_t probation_bytes_ GUARDED_BY(mutex_) = 0;
    size_t protected_bytes_ GUARDED_BY(mutex_) = 0;
    std::unordered_map<Key, Position, KeyHash> positions_ GUARDED_BY(mutex_);
    Counts counts_ GUARDED_BY(mutex_);
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
    shard(key).insert(key, std::move(page));
}

void PageCache::clear() {
    for (auto& each : shards_) {
        each->clear();
    }
}

PageCache::Counts PageCache::counts() const {
    Counts total;
    for (const auto& each : shards_) {
        const Counts counts = each->counts();
        total.hits += counts.hits;
        total.misses += counts.misses;
        total.evictions += counts.evictions;
        total.bytes += counts.bytes;
        total.pages += counts.pages;
    }
    return total;
}

}  // namespace thetis
