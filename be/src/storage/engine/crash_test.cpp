// SPDX-License-Identifier: Apache-2.0
// Kills a process at every debug point of a load, a compaction, a create and a drop; afterwards the
// directory holds the old state or the new one, and no file that nobody knows.
#include "storage/testing/storage_fixture.h"

namespace thetis {
namespace {

constexpr int kLoads = 5;

class CrashTest : public StorageFixture {};

/// Tablet 1: kLoads versions, then one more under a point; a compaction; tablets 2 and 3 made, 3
/// dropped.
TEST_F(CrashTest, Victim) {
    const auto self = victim();
    if (!self.has_value()) {
        GTEST_SKIP() << "runs in a process of its own, started by the other test";
    }
    open_engine_in(self->directory);
    create_tablet(1);
    create_tablet(3);
    for (int i = 0; i < kLoads; ++i) {
        load(1, 100 + i, 2 + i, make_rows(i * 1000, 1000));
    }
    ASSERT_TRUE(debug_points().add(self->point, {{"action", "kill"}}).ok());
    load(1, 100 + kLoads, 2 + kLoads, make_rows(kLoads * 1000, 1000));
    ASSERT_TRUE(engine().compact_tablet(1).ok());
    create_tablet(2);
    ASSERT_TRUE(engine().drop_tablet(3).ok());
}

TEST_F(CrashTest, EveryDebugPointLeavesTheStateBeforeOrAfter) {
    const std::vector<std::string> points{
        "TabletWriter.flush",
        "TabletWriter.flush.done",
        "TabletWriter.commit",
        "TabletWriter.commit.done",
        "StorageEngine.publish",
        "StorageEngine.publish.done",
        "Compaction.write",
        "Compaction.commit",
        "Compaction.commit.done",
        "StorageEngine.create_tablet",
        "StorageEngine.drop_tablet"
    };
    for (const std::string& point : points) {
        SCOPED_TRACE(point);
        kill_victim("CrashTest.Victim", point);
        open_engine();
        const bool is_pending =
            point == "TabletWriter.commit.done" || point == "StorageEngine.publish";
        const bool was_lost = point.starts_with("TabletWriter") && !is_pending;
        EXPECT_EQ(
            engine().pending_transactions(),
            is_pending ? std::vector<int64_t>{100 + kLoads} : std::vector<int64_t>{}
        );
        if (is_pending) {
            publish(100 + kLoads, 1, 2 + kLoads);
        }
        if (was_lost) {
            EXPECT_EQ(scan_keys(1, 1 + kLoads), numbers(0, kLoads * 1000));
            load(1, 100 + kLoads, 2 + kLoads, make_rows(kLoads * 1000, 1000));
        }
        EXPECT_EQ(scan_keys(1, 2 + kLoads), numbers(0, (kLoads + 1) * 1000));
        EXPECT_EQ(
            static_cast<int64_t>(num_files()),
            engine().tablet_reports(std::array{int64_t{1}})[0].num_segments
        );
        EXPECT_EQ(engine().find_tablet(2) != nullptr, point == "StorageEngine.drop_tablet");
        EXPECT_EQ(engine().find_tablet(3) != nullptr, point != "StorageEngine.drop_tablet");
        create_tablet(2);
        empty_directory();
    }
}

}  // namespace
}  // namespace thetis
