// SPDX-License-Identifier: Apache-2.0
#include "storage/tablet/row_cache.h"

#include <gtest/gtest.h>

#include "storage/index/split_block_filter.h"

namespace thetis {
namespace {

constexpr uint64_t kTablet = 1;

uint64_t hash_of(std::string_view key) {
    return SplitBlockFilter::hash(key);
}

void insert(RowCache& cache, const std::string& key, const std::string& row, int64_t version) {
    cache.insert(kTablet, key, hash_of(key), row, version);
}

CachedRowPtr find(RowCache& cache, const std::string& key, uint64_t tablet = kTablet) {
    return cache.find(tablet, key, hash_of(key));
}

TEST(RowCache, KnowsRowsAndThatThereIsNone) {
    RowCache cache(1 << 20);
    EXPECT_EQ(find(cache, "a"), nullptr);
    insert(cache, "a", "row", 5);
    insert(cache, "b", "", 6);
    ASSERT_NE(find(cache, "a"), nullptr);
    EXPECT_EQ(find(cache, "a")->row(), "row");
    EXPECT_EQ(find(cache, "a")->version(), 5);
    EXPECT_EQ(find(cache, "b")->row(), "");
    EXPECT_EQ(find(cache, "a", 2), nullptr);
    cache.clear();
    EXPECT_EQ(find(cache, "a"), nullptr);
    EXPECT_EQ(cache.counts().bytes, 0);
}

TEST(RowCache, AnEntryGivesWayToTheSameOrALaterVersionOnly) {
    RowCache cache(1 << 20);
    insert(cache, "a", "old", 5);
    insert(cache, "a", "older", 4);
    EXPECT_EQ(find(cache, "a")->row(), "old");
    insert(cache, "a", "more columns", 5);
    EXPECT_EQ(find(cache, "a")->row(), "more columns");
    find(cache, "a")->verified_at(9);
    find(cache, "a")->verified_at(7);
    EXPECT_EQ(find(cache, "a")->version(), 9);
    insert(cache, "a", "late", 8);
    EXPECT_EQ(find(cache, "a")->row(), "more columns");
    insert(cache, "a", "new", 10);
    EXPECT_EQ(find(cache, "a")->row(), "new");
    EXPECT_EQ(cache.counts().rows, 1);
}

TEST(RowCache, KeepsToItsBytesAndToWhatIsUsedAgain) {
    constexpr int64_t kBytes = 1 << 20;
    const auto memory = MemoryTracker::create("rows", kBytes);
    {
        RowCache cache(kBytes, memory);
        for (int i = 0; i < 100; ++i) {
            insert(cache, fmt::format("hot {}", i), std::string(100, 'x'), 1);
            ASSERT_NE(find(cache, fmt::format("hot {}", i)), nullptr);
        }
        for (int i = 0; i < 20000; ++i) {
            insert(cache, fmt::format("once {}", i), std::string(100, 'x'), 1);
        }
        EXPECT_LE(cache.counts().bytes, kBytes);
        EXPECT_LE(memory->used_bytes(), kBytes);
        EXPECT_GT(memory->used_bytes(), kBytes / 4);
        EXPECT_GT(cache.counts().evictions, 1000);
        for (int i = 0; i < 100; ++i) {
            EXPECT_NE(find(cache, fmt::format("hot {}", i)), nullptr) << i;
        }
        insert(cache, "huge", std::string(kBytes, 'x'), 1);
        EXPECT_EQ(find(cache, "huge"), nullptr);
    }
    EXPECT_EQ(memory->used_bytes(), 0);
}

}  // namespace
}  // namespace thetis
