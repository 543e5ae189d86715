// SPDX-License-Identifier: Apache-2.0
#include "storage/compaction/compaction_policy.h"
#include "storage/testing/storage_fixture.h"

namespace thetis {
namespace {

std::vector<CompactionInput> sizes(std::initializer_list<int64_t> bytes) {
    std::vector<CompactionInput> inputs;
    for (const int64_t each : bytes) {
        inputs.push_back({.size_bytes = each, .num_segments = 1, .is_overlapping = false});
    }
    return inputs;
}

constexpr int64_t kMega = int64_t{1} << 20;

TEST(CompactionPolicy, GathersRowsetsOfLikeSize) {
    const CompactionLimits limits;
    EXPECT_FALSE(pick_compaction(sizes({0, 10, 10, 10}), limits).has_value());
    const auto small = pick_compaction(sizes({900 * kMega, 10, 10, 10, 10, 10}), limits);
    ASSERT_TRUE(small.has_value());
    EXPECT_EQ(small->begin, 1U);
    EXPECT_EQ(small->end, 6U);
    // A large newest rowset does not hide the small ones before it.
    const auto hidden = pick_compaction(sizes({0, 1, 1, 1, 1, 1, 500 * kMega}), limits);
    ASSERT_TRUE(hidden.has_value());
    EXPECT_EQ(hidden->end, 6U);
    // Growing sizes stay as they are; output is bounded.
    EXPECT_FALSE(
        pick_compaction(sizes({512 * kMega, 128 * kMega, 32 * kMega, 8 * kMega, 2 * kMega}), limits)
            .has_value()
    );
    EXPECT_FALSE(pick_compaction(
                     sizes({600 * kMega, 600 * kMega, 600 * kMega, 600 * kMega, 600 * kMega}),
                     limits
    )
                     .has_value());
}

TEST(CompactionPolicy, RowsAreRewrittenFewTimes) {
    std::vector<CompactionInput> rowsets;
    int64_t written = 0;
    constexpr int kLoads = 4000;
    size_t most = 0;
    for (int i = 0; i < kLoads; ++i) {
        rowsets.push_back({.size_bytes = kMega, .num_segments = 1, .is_overlapping = false});
        while (const auto pick = pick_compaction(rowsets, CompactionLimits())) {
            int64_t total = 0;
            for (size_t j = pick->begin; j < pick->end; ++j) {
                total += rowsets[j].size_bytes;
            }
            written += total;
            rowsets.erase(
                rowsets.begin() + static_cast<ptrdiff_t>(pick->begin),
                rowsets.begin() + static_cast<ptrdiff_t>(pick->end)
            );
            rowsets.insert(
                rowsets.begin() + static_cast<ptrdiff_t>(pick->begin),
                {.size_bytes = total, .num_segments = 1, .is_overlapping = false}
            );
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

    // Once replaced rowsets are swept, their versions are gone, but not from readers that hold
    // them.
    ASSERT_TRUE(config().set("tablet_rowset_stale_sweep_time_sec", "0", true).ok());
    engine().run_garbage_collection();
    EXPECT_EQ(num_files(), 1U);
    EXPECT_EQ(engine().open_reader(1, 10, {}).status().code(), ErrorCode::kMissingVersion);
    EXPECT_EQ(keys_of(**before), expected_before);
    open_engine();
    EXPECT_EQ(scan_keys(1, kLoads + 1), expected);
    load(1, 500, kLoads + 2, make_rows(0, 100));
    EXPECT_EQ(scan_keys(1, kLoads + 2), numbers(0, kLoads * 100 + 100));
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
