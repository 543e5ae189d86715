// SPDX-License-Identifier: Apache-2.0
// What a DELETE by condition takes is found by zone maps where they can tell, and is the same
// without them.
#include "column/scalar.h"
#include "storage/segment/page_format.h"
#include "storage/testing/storage_fixture.h"

namespace thetis {
namespace {

constexpr uint32_t kRows = 100'000;

class DeletePruningTest : public StorageFixture {
protected:
    void delete_below(int64_t bound, int64_t version) {
        const Status status = engine().delete_data(
            {.txn_id = 100 + version, .tablet_id = 1, .condition = fmt::format("0 < {}", bound)}
        );
        ASSERT_TRUE(status.ok()) << status.to_string();
        publish(100 + version, 1, version);
    }

    std::optional<int64_t> count_without_reading(int64_t version) {
        return engine().open_reader(1, version, {}).take()->num_rows();
    }
};

TEST_F(DeletePruningTest, PagesThatItTakesWholeOrNotAtAllAreNotAsked) {
    open_engine();
    create_tablet(1);
    load(1, 2, 2, make_rows(0, kRows));
    delete_below(50'000, 3);
    load(1, 4, 4, make_rows(0, 10));
    std::vector<int64_t> expected = numbers(0, 10);
    const std::vector<int64_t> left = numbers(50'000, kRows - 50'000);
    expected.insert(expected.end(), left.begin(), left.end());
    ScanStatistics with;
    EXPECT_EQ(scan_keys(1, 4, {}, &with), expected);
    ScanStatistics without;
    EXPECT_EQ(scan_keys(1, 4, {.use_zone_maps = false}, &without), expected);
    EXPECT_EQ(with.rows_deleted, 50'000);
    EXPECT_EQ(without.rows_deleted, 50'000);
    EXPECT_EQ(without.rows_delete_proven, 0);
    // Only the page that holds the bound is asked.
    EXPECT_EQ(with.rows_delete_proven, kRows - kPageRows);
    EXPECT_LT(with.pages_read, without.pages_read);
    // A predicate prunes first, in the middle of what the DELETE takes and beyond it.
    const auto bound = Scalar::integer(DataType::of(TypeId::kBigint, false), 20'000).to_column();
    const ColumnPredicate above{.column_unique_id = 0, .op = PredicateOp::kGe, .values = bound};
    for (const bool use_zone_maps : {true, false}) {
        EXPECT_EQ(scan_keys(1, 4, {.predicates = {above}, .use_zone_maps = use_zone_maps}), left);
    }
    EXPECT_EQ(count_without_reading(4), std::nullopt);
    ASSERT_TRUE(engine().compact_tablet(1, CompactionKind::kFull).take());
    EXPECT_EQ(scan_keys(1, 4), expected);
    EXPECT_EQ(engine().tablet_reports({})[0].num_rows, static_cast<int64_t>(expected.size()));
}

TEST_F(DeletePruningTest, ASegmentThatItTakesWholeOrNotAtAllIsCountedWithoutReading) {
    open_engine();
    create_tablet(1);
    load(1, 2, 2, make_rows(0, 1000));
    load(1, 3, 3, make_rows(5000, 500));
    delete_below(1000, 4);
    EXPECT_EQ(count_without_reading(4), 500);
    ScanStatistics statistics;
    EXPECT_EQ(scan_keys(1, 4, {}, &statistics), numbers(5000, 500));
    EXPECT_EQ(statistics.rows_deleted, 1000);
    EXPECT_EQ(statistics.rows_delete_proven, 1000);
    EXPECT_EQ(scan_keys(1, 4, {.use_zone_maps = false}), numbers(5000, 500));
    EXPECT_EQ(scan_keys(1, 4, {.skip_delete_predicate = true}).size(), 1500U);
    delete_below(5500, 5);
    EXPECT_EQ(count_without_reading(5), 0);
    EXPECT_TRUE(scan_keys(1, 5).empty());
    ASSERT_TRUE(engine().compact_tablet(1, CompactionKind::kFull).take());
    EXPECT_TRUE(scan_keys(1, 5).empty());
}

}  // namespace
}  // namespace thetis
