// SPDX-License-Identifier: Apache-2.0
// Rows in the cache while versions and compactions come: they are used as long as they hold and no
// longer.
#include "storage/tablet/point_reader.h"

#include "storage/tablet/point_view.h"
#include "storage/tablet/row_cache.h"
#include "storage/testing/merge_on_write_fixture.h"

namespace thetis::merge_on_write {
namespace {

class PointReaderTest : public MergeOnWriteFixture {
protected:
    static constexpr int64_t kAbsent = -1;

    /// Column n of a key's row at a version, or kAbsent.
    int64_t look_up(int64_t key, int64_t version) {
        const auto tablet = engine().find_tablet(1);
        const auto columns = PointColumns::create(tablet->schema(), std::array{kNumber});
        EXPECT_TRUE(columns.ok()) << columns.status().to_string();
        std::string encoded;
        const std::string_view packed(reinterpret_cast<const char*>(&key), sizeof(key));
        EXPECT_TRUE((*columns)->encode_key(packed, encoded).ok());
        const auto view = tablet->point_view(version);
        EXPECT_TRUE(view.ok()) << view.status().to_string();
        const auto is_there = reader_.find(*tablet, **view, **columns, encoded, &cache_);
        EXPECT_TRUE(is_there.ok()) << is_there.status().to_string();
        int64_t number = kAbsent;
        if (*is_there) {
            std::memcpy(&number, reader_.cells()[0].data, sizeof(number));
        }
        return number;
    }

    void compact(CompactionKind kind) {
        const auto merged = engine().compact_tablet(1, kind);
        ASSERT_TRUE(merged.ok()) << merged.status().to_string();
        ASSERT_TRUE(*merged);
    }

    PointReader reader_;
    RowCache cache_{size_t{1} << 20};
};

TEST_F(PointReaderTest, RowsHoldThroughTheMergeOfYoungVersions) {
    open_engine();
    create(1, schema(false));
    load(1, 2, {{1, {10, "a"}}, {2, {20, "b"}}, {3, {30, "c"}}, {4, {40, "d"}}});
    load(1, 3, {{2, {21, "b"}}, {9, {90, "i"}}});
    EXPECT_EQ(look_up(1, 3), 10);
    EXPECT_EQ(look_up(2, 3), 21);
    EXPECT_EQ(look_up(3, 3), 30);
    EXPECT_EQ(look_up(4, 3), 40);
    EXPECT_EQ(look_up(5, 3), kAbsent);
    EXPECT_EQ(look_up(6, 3), kAbsent);
    load(1, 4, {{3, {31, "c"}}, {6, {60, "f"}}});
    load(1, 5, {{4, {40, "d", 1}}, {6, {60, "f", 1}}});
    compact(CompactionKind::kCumulative);  // Of 2 to 5: version 3 ends nowhere any more.
    load(1, 6, {{7, {70, "g"}}});
    // All keys of the merged rowset are doubtful, whether they changed after version 3 or before.
    for (int round = 0; round < 2; ++round) {
        const bool is_again = round == 1;
        EXPECT_EQ(look_up(1, 6), 10);
        EXPECT_EQ(reader_.was_cached(), is_again);
        EXPECT_EQ(look_up(3, 6), 31);
        EXPECT_EQ(reader_.was_cached(), is_again);
        EXPECT_EQ(look_up(4, 6), kAbsent);
        EXPECT_EQ(reader_.was_cached(), is_again);
        EXPECT_EQ(look_up(6, 6), kAbsent);
        EXPECT_EQ(reader_.was_cached(), is_again);
    }
    // A key that none of these versions wrote is not.
    EXPECT_EQ(look_up(5, 6), kAbsent);
    EXPECT_TRUE(reader_.was_cached());
}

TEST_F(PointReaderTest, AMergeFromVersionZeroOnProvesNothing) {
    open_engine();
    create(1, schema(false));
    load(1, 2, {{1, {10, "a"}}, {2, {20, "b"}}});
    EXPECT_EQ(look_up(1, 2), 10);
    EXPECT_EQ(look_up(2, 2), 20);
    load(1, 3, {{1, {10, "a", 1}}});
    compact(CompactionKind::kFull);  // Drops the row that says that key 1 is deleted.
    EXPECT_EQ(look_up(1, 3), kAbsent);
    EXPECT_EQ(look_up(2, 3), 20);
    EXPECT_FALSE(reader_.was_cached());
    EXPECT_EQ(look_up(2, 3), 20);
    EXPECT_TRUE(reader_.was_cached());
}

}  // namespace
}  // namespace thetis::merge_on_write
