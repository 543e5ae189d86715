// SPDX-License-Identifier: Apache-2.0
#include "storage/tablet/tablet.h"
#include "storage/testing/storage_fixture.h"

namespace thetis {
namespace {

class DeletesTest : public StorageFixture {};

TEST_F(DeletesTest, AConditionIsARowsetOfItsOwnAndSurvivesARestart) {
    open_engine();
    create_tablet(1);
    load(1, 100, 2, make_rows(0, 1000));
    ASSERT_TRUE(engine().delete_data({.txn_id = 101, .tablet_id = 1, .condition = "0 < 10"}).ok());
    // The same task once more changes nothing.
    ASSERT_TRUE(engine().delete_data({.txn_id = 101, .tablet_id = 1, .condition = "0 < 10"}).ok());
    open_engine();
    EXPECT_EQ(engine().pending_transactions(), std::vector<int64_t>{101});
    publish(101, 1, 3);
    open_engine();
    const auto snapshot = engine().find_tablet(1)->snapshot(3);
    ASSERT_TRUE(snapshot.ok()) << snapshot.status().to_string();
    const RowsetPtr last = (*snapshot)->rowsets.back();
    EXPECT_TRUE(last->meta().is_delete());
    EXPECT_EQ(last->meta().num_rows, 0);
    const auto filter = last->delete_filter();
    ASSERT_TRUE(filter.ok()) << filter.status().to_string();
    const Batch rows = make_rows(5, 10);
    std::vector<uint8_t> taken(rows.num_rows, 0);
    ASSERT_TRUE((*filter)->match({rows.columns.data(), 1}, rows.num_rows, taken).ok());
    EXPECT_EQ(taken, (std::vector<uint8_t>{1, 1, 1, 1, 1, 0, 0, 0, 0, 0}));
    EXPECT_TRUE((*(*snapshot)->rowsets[1]->delete_filter()) == nullptr);
}

TEST_F(DeletesTest, AConditionThatCannotRunIsRefusedAtOnce) {
    open_engine();
    create_tablet(1);
    EXPECT_FALSE(engine().delete_data({.txn_id = 1, .tablet_id = 1, .condition = "what"}).ok());
    EXPECT_FALSE(engine().delete_data({.txn_id = 1, .tablet_id = 1, .condition = "77 < 3"}).ok());
    EXPECT_FALSE(engine().delete_data({.txn_id = 1, .tablet_id = 1}).ok());
    EXPECT_EQ(
        engine().delete_data({.txn_id = 1, .tablet_id = 9, .condition = "0 < 3"}).code(),
        ErrorCode::kTabletNotFound
    );
    EXPECT_TRUE(engine().pending_transactions().empty());
}

}  // namespace
}  // namespace thetis
