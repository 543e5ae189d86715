// SPDX-License-Identifier: Apache-2.0
// Few segment files may be open, many are read: scans, look-ups and updates give the same, and what
// is read, or was lately, stays open.
#include <random>
#include <thread>

#include "storage/tablet/point_reader.h"
#include "storage/testing/merge_on_write_fixture.h"

namespace thetis::merge_on_write {
namespace {

constexpr int64_t kTablets = 30;
constexpr int64_t kLoads = 4;
constexpr int64_t kLastVersion = kLoads + 1;
constexpr size_t kCapacity = 24;

class SegmentCacheTest : public MergeOnWriteFixture {
protected:
    void open_engine_with(size_t capacity) {
        const Status set = config().set("segment_cache_capacity", std::to_string(capacity), false);
        ASSERT_TRUE(set.ok()) << set.to_string();
        open_engine();
    }

    /// Every tablet has rows tablet * 1000 + 0 .. kLoads * 10 of so many rowsets.
    void fill_tablets(bool merge_on_write) {
        for (int64_t tablet = 1; tablet <= kTablets; ++tablet) {
            if (merge_on_write) {
                create(tablet, schema(false));
            } else {
                create_tablet(tablet);
            }
            for (int64_t i = 0; i < kLoads; ++i) {
                const int64_t first = tablet * 1000 + i * 10;
                if (!merge_on_write) {
                    StorageFixture::load(tablet, 100 * tablet + i, i + 2, make_rows(first, 10));
                    continue;
                }
                Rows rows;
                for (int64_t key = first; key < first + 10; ++key) {
                    rows.push_back({key, {key * 2, "text"}});
                }
                ASSERT_TRUE(write_rows(tablet, 100 * tablet + i, rows).ok());
                publish(100 * tablet + i, tablet, i + 2);
            }
        }
        ASSERT_EQ(num_files(), static_cast<size_t>(kTablets * kLoads));
    }

    static std::vector<int64_t> keys_of_tablet(int64_t tablet, int64_t loads = kLoads) {
        return numbers(tablet * 1000, loads * 10);
    }

    void prepare_look_ups() {
        const auto made = PointColumns::create(schema(false), std::array{kNumber});
        ASSERT_TRUE(made.ok()) << made.status().to_string();
        columns_ = *made;
    }

    /// What the column n of the key has; nothing when there is no row.
    std::optional<int64_t> look_up(int64_t tablet_id, int64_t key) {
        const auto tablet = engine().find_tablet(tablet_id);
        const auto view = tablet->point_view(kLastVersion);
        EXPECT_TRUE(view.ok()) << view.status().to_string();
        std::string encoded;
        EXPECT_TRUE(
            columns_->encode_key({reinterpret_cast<const char*>(&key), sizeof(key)}, encoded).ok()
        );
        PointReader reader;
        const auto found = reader.find(*tablet, **view, *columns_, encoded, nullptr);
        EXPECT_TRUE(found.ok()) << found.status().to_string();
        if (!found.ok() || !*found) {
            return std::nullopt;
        }
        int64_t number = 0;
        std::memcpy(&number, reader.cells()[0].data, sizeof(number));
        return number;
    }

    SegmentCache::Counts counts() { return engine().segment_cache_counts(); }

private:
    std::shared_ptr<const PointColumns> columns_;
};

TEST(SegmentCacheCapacity, IsAShareOfTheFilesOrLess) {
    EXPECT_EQ(segment_cache_capacity(-1, 20, 65536), 13107);
    EXPECT_EQ(segment_cache_capacity(1000, 20, 65536), 1000);
    EXPECT_EQ(segment_cache_capacity(1000000, 20, 65536), 13107);
    EXPECT_EQ(segment_cache_capacity(0, 20, 65536), 0);
    EXPECT_GT(max_open_files(), 0);
}

TEST_F(SegmentCacheTest, ScansOfManyRowsetsKeepFewFilesOpen) {
    open_engine_with(kCapacity);
    fill_tablets(false);
    for (int round = 0; round < 2; ++round) {
        for (int64_t tablet = 1; tablet <= kTablets; ++tablet) {
            EXPECT_EQ(scan_keys(tablet, kLastVersion), keys_of_tablet(tablet));
            ASSERT_LE(num_open_segments(), kCapacity);
        }
    }
    EXPECT_EQ(counts().capacity, static_cast<int64_t>(kCapacity));
    EXPECT_EQ(counts().open, static_cast<int64_t>(num_open_segments()));
    EXPECT_GE(counts().evictions, 2 * kTablets * kLoads - 2 * static_cast<int64_t>(kCapacity));
    engine().clear_segment_cache();
    EXPECT_EQ(num_open_segments(), 0U);
    EXPECT_EQ(counts().open, 0);
}

TEST_F(SegmentCacheTest, WhatIsUsedAgainStaysOpen) {
    open_engine_with(kCapacity);
    fill_tablets(false);
    const std::string hot = engine().find_tablet(1)->directory();
    EXPECT_EQ(scan_keys(1, kLastVersion), keys_of_tablet(1));
    const int64_t before = counts().evictions;
    for (int64_t tablet = 2; tablet <= kTablets; ++tablet) {
        EXPECT_EQ(scan_keys(tablet, kLastVersion), keys_of_tablet(tablet));
        EXPECT_EQ(num_open_segments(hot), static_cast<size_t>(kLoads)) << tablet;
        EXPECT_EQ(scan_keys(1, kLastVersion), keys_of_tablet(1));
    }
    EXPECT_GE(counts().evictions - before, (kTablets - 1) * kLoads - 2 * int64_t{kCapacity});
}

TEST_F(SegmentCacheTest, LookUpsInManyTabletsKeepFewFilesOpen) {
    open_engine_with(kCapacity);
    prepare_look_ups();
    fill_tablets(true);
    const std::string hot = engine().find_tablet(1)->directory();
    int times_closed = 0;
    for (int64_t tablet = 1; tablet <= kTablets; ++tablet) {
        for (int64_t i = 0; i < kLoads; ++i) {
            const int64_t key = tablet * 1000 + i * 10 + 3;
            EXPECT_EQ(look_up(tablet, key), key * 2);
            ASSERT_LE(num_open_segments(), kCapacity);
        }
        EXPECT_EQ(look_up(tablet, tablet * 1000 + 500), std::nullopt);
        times_closed += num_open_segments(hot) == 0 ? 1 : 0;
        EXPECT_EQ(look_up(1, 1000 + tablet), (1000 + tablet) * 2);
    }
    // Looked up all the while. Once, when everything was used lately, it may have had its turn.
    EXPECT_LE(times_closed, 2);
    EXPECT_GT(counts().evictions, kTablets);
}

TEST_F(SegmentCacheTest, ReopenedFilesFindTheirPagesInTheCache) {
    open_engine_with(kCapacity);
    create_tablet(1);
    StorageFixture::load(1, 100, 2, make_rows(0, 50'000));
    ScanStatistics first;
    EXPECT_EQ(scan_keys(1, 2, {}, &first), numbers(0, 50'000));
    EXPECT_GT(first.pages_from_disk, 0);
    engine().clear_segment_cache();
    ASSERT_EQ(num_open_segments(), 0U);
    ScanStatistics second;
    EXPECT_EQ(scan_keys(1, 2, {}, &second), numbers(0, 50'000));
    EXPECT_EQ(second.pages_read, first.pages_read);
    EXPECT_EQ(second.pages_from_disk, 0);
}

TEST_F(SegmentCacheTest, WhatACommitOpenedIsUsedOnWhenItGetsItsVersion) {
    open_engine_with(1000);
    create(1, schema(false));
    ASSERT_TRUE(write_rows(1, 10, {{5, {10, "text"}}}).ok());
    // Opened to mark the rows it replaces.
    const RowsetPtr committed = engine().find_tablet(1)->find_pending(10);
    const auto opened = committed->segments().take();
    ASSERT_EQ(opened.size(), 1U);
    EXPECT_EQ(counts().open, 1);
    publish(10, 1, 2);
    const RowsetPtr visible = engine().find_tablet(1)->visible_rowsets().back();
    ASSERT_NE(visible, committed);
    EXPECT_EQ(visible->segments().take(), opened);
    EXPECT_EQ(counts().open, 1);
}

TEST_F(SegmentCacheTest, AReaderInTheMiddleGoesOn) {
    open_engine_with(2);
    create_tablet(1);
    StorageFixture::load(1, 100, 2, make_rows(0, 50'000));
    for (int64_t other = 2; other <= 4; ++other) {
        create_tablet(other);
        StorageFixture::load(other, 100 + other, 2, make_rows(other * 10, 10));
    }
    ReadOptions options;
    options.column_unique_ids = {0};
    auto reader = engine().open_reader(1, 2, options).take();
    ASSERT_EQ(reader->splits().size(), 1U);
    auto rows = reader->read(reader->splits().front()).take();
    std::vector<int64_t> keys;
    Batch batch;
    const auto read_batch = [&] {
        const auto more = rows->next(batch);
        EXPECT_TRUE(more.ok()) << more.status().to_string();
        if (!more.ok() || !*more) {
            return false;
        }
        const ColumnView<int64_t> values(*batch.columns[0]);
        for (uint32_t i = 0; i < batch.num_selected(); ++i) {
            keys.push_back(values[batch.row_at(i)]);
        }
        return true;
    };
    const std::string directory = engine().find_tablet(1)->directory();
    for (int i = 0; read_batch(); ++i) {
        const int64_t other = 2 + i % 3;
        EXPECT_EQ(scan_keys(other, 2), numbers(other * 10, 10));
        engine().clear_segment_cache();
        EXPECT_EQ(num_open_segments(), num_open_segments(directory));
        EXPECT_EQ(num_open_segments(directory), 1U);
        if (i == 3) {
            // The tablet itself has nothing to do with the file any more.
            StorageFixture::load(1, 101, 3, make_rows(50'000, 10));
            ASSERT_TRUE(engine().compact_tablet(1, CompactionKind::kFull).take());
        }
    }
    std::sort(keys.begin(), keys.end());
    EXPECT_EQ(keys, numbers(0, 50'000));
    rows = nullptr;
    reader = nullptr;
    engine().clear_segment_cache();
    EXPECT_EQ(num_open_segments(), 0U);
}

TEST_F(SegmentCacheTest, WhatAPartialUpdateReadsIsNotSweptUnderIt) {
    open_engine_with(kCapacity);
    create(1, schema(false));
    MergeOnWriteFixture::load(1, 2, {{1, {10, "a"}}, {2, {20, "b"}}});
    MergeOnWriteFixture::load(1, 3, {{3, {30, "c"}}});
    WriterOptions options;
    options.txn_id = 500;
    options.load_id = "load";
    options.partial_update = true;
    options.column_unique_ids = {kKey, kNumber};
    auto writer = engine().open_writer(1, options).take();
    const Rows rows{{1, {11, ""}}, {3, {31, ""}}};
    ASSERT_TRUE(writer->append(batch_of(rows, 0, 2, options.column_unique_ids)).ok());
    ASSERT_TRUE(engine().compact_tablet(1, CompactionKind::kFull).take());
    ASSERT_TRUE(config().set("tablet_rowset_stale_sweep_time_sec", "0", true).ok());
    engine().run_garbage_collection();
    engine().clear_segment_cache();
    const Status closed = writer->close();
    ASSERT_TRUE(closed.ok()) << closed.to_string();
    writer = nullptr;
    publish(500, 1, 4);
    EXPECT_EQ(read(1, 4), (Table{{1, {11, "a"}}, {2, {20, "b"}}, {3, {31, "c"}}}));
    engine().run_garbage_collection();
    EXPECT_EQ(num_files(), 2U);  // What the compaction made, and the update.
}

TEST_F(SegmentCacheTest, ManyThreadsStayNearTheLimit) {
    constexpr int kThreads = 4;
    constexpr int kRounds = 150;
    open_engine_with(kCapacity);
    prepare_look_ups();
    fill_tablets(true);
    std::atomic<bool> is_done{false};
    size_t most_open = 0;
    std::thread watcher([&] {
        while (!is_done.load()) {
            most_open = std::max(most_open, num_open_segments());
        }
    });
    // Rows change places while they are read, never what they are.
    std::thread compacting([&] {
        for (int64_t tablet = 1; tablet <= kTablets; tablet += 2) {
            const auto compacted = engine().compact_tablet(tablet, CompactionKind::kCumulative);
            EXPECT_TRUE(compacted.ok()) << compacted.status().to_string();
        }
    });
    std::vector<std::thread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
        threads.emplace_back([&, thread] {
            std::mt19937 random(static_cast<uint32_t>(thread));
            for (int i = 0; i < kRounds; ++i) {
                const int64_t tablet = 1 + static_cast<int64_t>(random() % kTablets);
                if (thread % 2 == 0) {
                    EXPECT_EQ(scan_keys(tablet, kLastVersion), keys_of_tablet(tablet));
                } else {
                    const int64_t key =
                        tablet * 1000 + static_cast<int64_t>(random() % (kLoads * 10));
                    EXPECT_EQ(look_up(tablet, key), key * 2);
                }
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    compacting.join();
    is_done.store(true);
    watcher.join();
    // What is being read, once more where two open the same files at once, comes on top, and the
    // look around that finds only such begins again an eighth later.
    EXPECT_LE(most_open, (kCapacity + 2 * (kThreads + 1) * kLoads) * 9 / 8);
    EXPECT_LT(most_open, static_cast<size_t>(kTablets * kLoads));
    engine().run_garbage_collection();
    EXPECT_LE(num_open_segments(), kCapacity);
    EXPECT_EQ(counts().open, static_cast<int64_t>(num_open_segments()));
    EXPECT_GT(counts().evictions, 0);
}

}  // namespace
}  // namespace thetis::merge_on_write
