// SPDX-License-Identifier: Apache-2.0
#include "storage/compaction/compaction_policy.h"
#include "storage/testing/storage_fixture.h"

namespace thetis {
namespace {

constexpr int64_t kMega = int64_t{1} << 20;

/// [0-1] of no bytes, then one version per size.
std::vector<CompactionInput> sizes(std::initializer_list<int64_t> bytes) {
    std::vector<CompactionInput> inputs{{.end_version = 1}};
    int64_t version = 2;
    for (const int64_t each : bytes) {
        inputs.push_back(
            {.start_version = version,
             .end_version = version,
             .num_rows = 1,
             .size_bytes = each,
             .num_segments = 1}
        );
        ++version;
    }
    return inputs;
}

TEST(CompactionPolicy, GathersRowsetsOfLikeSize) {
    CompactionLimits limits;
    limits.promotion_min_bytes = 2000 * kMega;
    EXPECT_FALSE(pick_cumulative(sizes({10, 10, 10}), 2, limits, false).has_value());
    const auto small = pick_cumulative(sizes({900 * kMega, 10, 10, 10, 10, 10}), 2, limits, false);
    ASSERT_TRUE(small.has_value());
    EXPECT_EQ(small->begin, 2U);
    EXPECT_EQ(small->end, 7U);
    EXPECT_EQ(small->cumulative_point, 2);
    // A large newest rowset does not hide the small ones before it.
    const auto hidden = pick_cumulative(sizes({1, 1, 1, 1, 1, 500 * kMega}), 2, limits, false);
    ASSERT_TRUE(hidden.has_value());
    EXPECT_EQ(hidden->end, 6U);
    // Growing sizes stay as they are; output is bounded.
    const auto growing = sizes({512 * kMega, 128 * kMega, 32 * kMega, 8 * kMega, 2 * kMega});
    EXPECT_FALSE(pick_cumulative(growing, 2, limits, false).has_value());
    const auto large = sizes({600 * kMega, 600 * kMega, 600 * kMega, 600 * kMega, 600 * kMega});
    EXPECT_FALSE(pick_cumulative(large, 2, limits, false).has_value());
    // Asked for, everything is merged.
    EXPECT_EQ(pick_cumulative(growing, 2, limits, true)->end, 6U);
}

TEST(CompactionPolicy, WhatIsLargeEnoughLeavesTheCumulativeOnes) {
    const CompactionLimits limits;
    EXPECT_EQ(first_cumulative_point(sizes({200 * kMega, 1, 1}), limits), 3);
    EXPECT_EQ(first_cumulative_point(sizes({1, 200 * kMega}), limits), 2);
    const auto moved = pick_cumulative(sizes({200 * kMega, 1, 1}), 2, limits, false);
    ASSERT_TRUE(moved.has_value());
    EXPECT_EQ(moved->begin, moved->end);
    EXPECT_EQ(moved->cumulative_point, 3);
    const auto merged = pick_cumulative(
        sizes({30 * kMega, 30 * kMega, 30 * kMega, 30 * kMega, 30 * kMega}), 2, limits, false
    );
    ASSERT_TRUE(merged.has_value());
    EXPECT_EQ(merged->cumulative_point, 7);
}

TEST(CompactionPolicy, ConditionsAreOnlyMetByBaseCompaction) {
    const CompactionLimits limits;
    auto rowsets = sizes({10, 10, 0, 10});
    rowsets[3].is_delete = true;
    const auto before = pick_cumulative(rowsets, 2, limits, false);
    ASSERT_TRUE(before.has_value());
    EXPECT_EQ(before->begin, 1U);
    EXPECT_EQ(before->end, 3U);
    EXPECT_EQ(before->cumulative_point, 5);
    EXPECT_FALSE(pick_cumulative(rowsets, 5, limits, false).has_value());
    const auto base = pick_base(rowsets, 5, limits, 0, true);
    ASSERT_TRUE(base.has_value());
    EXPECT_EQ(base->begin, 0U);
    EXPECT_EQ(base->end, 4U);
    EXPECT_EQ(pick_full(rowsets, 2, false)->end, 5U);
}

TEST(CompactionPolicy, BaseRunsWhenItIsDue) {
    const CompactionLimits limits;
    EXPECT_FALSE(pick_base(sizes({10}), 3, limits, 0, false).has_value());  // Only a new name.
    const auto few = sizes({100 * kMega, kMega, kMega});
    EXPECT_FALSE(pick_base(std::span(few).subspan(1), 9, limits, 0, false).has_value());
    EXPECT_TRUE(pick_base(std::span(few).subspan(1), 9, limits, 100'000, false).has_value());
    const auto many = sizes({100 * kMega, 1, 1, 1, 1, 1, 1});
    EXPECT_TRUE(pick_base(std::span(many).subspan(1), 9, limits, 0, false).has_value());
    const auto heavy = sizes({100 * kMega, 40 * kMega});
    EXPECT_TRUE(pick_base(std::span(heavy).subspan(1), 9, limits, 0, false).has_value());
    CompactionLimits skipping = limits;
    skipping.base_skipped_bytes = 50 * kMega;
    EXPECT_FALSE(pick_base(std::span(heavy).subspan(1), 9, skipping, 0, true).has_value());
}

TEST(CompactionPolicy, RowsAreRewrittenFewTimes) {
    CompactionLimits limits;
    limits.promotion_min_bytes = INT64_MAX;
    std::vector<CompactionInput> rowsets{{.end_version = 1}};
    int64_t written = 0;
    constexpr int kLoads = 4000;
    size_t most = 0;
    for (int i = 0; i < kLoads; ++i) {
        rowsets.push_back(
            {.start_version = i + 2,
             .end_version = i + 2,
             .num_rows = 1,
             .size_bytes = kMega,
             .num_segments = 1}
        );
        while (const auto pick = pick_cumulative(rowsets, 2, limits, false)) {
            CompactionInput merged = rowsets[pick->begin];
            merged.end_version = rowsets[pick->end - 1].end_version;
            merged.size_bytes = 0;
            for (size_t j = pick->begin; j < pick->end; ++j) {
                merged.size_bytes += rowsets[j].size_bytes;
            }
            written += merged.size_bytes;
            rowsets.erase(
                rowsets.begin() + static_cast<ptrdiff_t>(pick->begin),
                rowsets.begin() + static_cast<ptrdiff_t>(pick->end)
            );
            rowsets.insert(rowsets.begin() + static_cast<ptrdiff_t>(pick->begin), merged);
        }
        most = std::max(most, rowsets.size());
    }
    EXPECT_LE(written / kMega / kLoads, 10);
    EXPECT_LE(most, 40U);
}

class CompactionTest : public StorageFixture {};

TEST_F(CompactionTest, ManyVersionsBecomeFewAndKeepTheirRows) {
    open_engine();
    create_tablet(1);
    constexpr int kLoads = 30;
    for (int i = 0; i < kLoads; ++i) {
        load(1, 100 + i, 2 + i, make_rows((kLoads - i) * 100, 100));
    }
    const std::vector<int64_t> expected = numbers(100, kLoads * 100);
    ASSERT_EQ(scan_keys(1, kLoads + 1), expected);
    auto before = engine().open_reader(1, 10, {.column_unique_ids = {0}});
    ASSERT_TRUE(before.ok());
    const std::vector<int64_t> expected_before = keys_of(**before);

    while (engine().compact_tablet(1).take()) {
    }
    EXPECT_LE(engine().tablet_reports({})[0].num_versions, 2);
    EXPECT_EQ(engine().tablet_reports({})[0].num_rows, kLoads * 100);
    EXPECT_EQ(engine().tablet_reports({})[0].version, kLoads + 1);
    EXPECT_EQ(scan_keys(1, kLoads + 1), expected);
    EXPECT_EQ(
        scan_keys(1, 10), expected_before
    );  // A version inside the merged ones is still there.
    EXPECT_EQ(publish_status(105, 1, 7).code(), ErrorCode::kOk);

    // Replaced rowsets are swept, and their versions are gone, when the last reader let go of them.
    ASSERT_TRUE(config().set("tablet_rowset_stale_sweep_time_sec", "0", true).ok());
    engine().run_garbage_collection();
    EXPECT_EQ(num_files(), 10U);
    EXPECT_EQ(keys_of(**before), expected_before);
    before.take().reset();
    engine().run_garbage_collection();
    EXPECT_EQ(num_files(), 1U);
    EXPECT_EQ(engine().open_reader(1, 10, {}).status().code(), ErrorCode::kMissingVersion);
    open_engine();
    EXPECT_EQ(scan_keys(1, kLoads + 1), expected);
    load(1, 500, kLoads + 2, make_rows(0, 100));
    EXPECT_EQ(scan_keys(1, kLoads + 2), numbers(0, kLoads * 100 + 100));
}

TEST_F(CompactionTest, ReplacedRowsetsHoldNoFilesOpen) {
    constexpr int kLoads = 30;
    open_engine();
    create_tablet(1);
    for (int i = 0; i < kLoads; ++i) {
        load(1, 100 + i, 2 + i, make_rows(i * 10, 10));
    }
    EXPECT_EQ(scan_keys(1, kLoads + 1), numbers(0, kLoads * 10));
    EXPECT_GE(num_open_segments(), static_cast<size_t>(kLoads));
    while (engine().compact_tablet(1).take()) {
    }
    EXPECT_EQ(num_files(), kLoads + 1U);
    EXPECT_LE(num_open_segments(), 2U);
    EXPECT_EQ(scan_keys(1, kLoads + 1), numbers(0, kLoads * 10));
    EXPECT_EQ(scan_keys(1, 10), numbers(0, 90));  // Opened again for those who ask.
}

TEST_F(CompactionTest, AFailureChangesNothing) {
    open_engine();
    create_tablet(1);
    for (int i = 0; i < 6; ++i) {
        load(1, 100 + i, 2 + i, make_rows(i * 10, 10));
    }
    for (const char* point : {"Compaction.write", "Compaction.commit"}) {
        ASSERT_TRUE(debug_points().add(point, {}).ok());
        EXPECT_EQ(engine().compact_tablet(1).status().code(), ErrorCode::kIoError);
        debug_points().clear();
        EXPECT_EQ(num_files(), 6U);
        EXPECT_EQ(scan_keys(1, 7), numbers(0, 60));
    }
    EXPECT_TRUE(engine().compact_tablet(1).take());
    EXPECT_FALSE(engine().compact_tablet(1).take());
    EXPECT_EQ(engine().compact_tablet(2).status().code(), ErrorCode::kTabletNotFound);
}

}  // namespace
}  // namespace thetis
