// SPDX-License-Identifier: Apache-2.0
// Kills a process at every debug point of merge-on-write loads, one of them a partial update whose
// rows another load changed; afterwards every load is there whole or not at all.
#include "storage/testing/merge_on_write_fixture.h"

namespace thetis::merge_on_write {
namespace {

constexpr int64_t kTablet = 1;
constexpr int64_t kPartialTxn = 50;
constexpr int64_t kPartialVersion = 4;
constexpr int64_t kFullTxn = 60;
constexpr int64_t kFullVersion = 5;

class MergeOnWriteCrashTest : public MergeOnWriteFixture {
protected:
    static Rows rows_of(int64_t first, int64_t count, int64_t number, const std::string& text) {
        Rows rows;
        for (int64_t key = first; key < first + count; ++key) {
            rows.push_back({key, {number, text}});
        }
        return rows;
    }

    Status write_partial() {
        return write_rows(kTablet, kPartialTxn, rows_of(500, 1000, 7, ""), {kKey, kNumber}, 300);
    }

    Status write_full() {
        return write_rows(kTablet, kFullTxn, rows_of(200, 600, 9, "last"), {}, 250);
    }

    /// Versions 2 and 3; the partial update took its base between them.
    void prepare() {
        create(kTablet, schema(false, true));
        load(kTablet, 2, rows_of(0, 1000, 1, "first"));
        ASSERT_TRUE(write_partial().ok());
        load(kTablet, 3, rows_of(800, 1000, 2, "second"), 300);
    }

    static Table expected() {
        Table table;
        const auto set = [&table](const Rows& rows) {
            for (const auto& [key, row] : rows) {
                table[key] = row;
            }
        };
        set(rows_of(0, 800, 1, "first"));
        set(rows_of(800, 1000, 2, "second"));
        for (int64_t key = 500; key < 1500; ++key) {
            table[key].number = 7;
        }
        set(rows_of(200, 600, 9, "last"));
        return table;
    }

    /// What the front end does: publishes again what is committed, loads again what is lost.
    void bring_to_end(int64_t txn_id, int64_t version, const std::function<Status()>& write) {
        if (engine().find_tablet(kTablet)->has_version(version)) {
            return;
        }
        const std::vector<int64_t> pending = engine().pending_transactions();
        if (std::find(pending.begin(), pending.end(), txn_id) == pending.end()) {
            ASSERT_TRUE(write().ok());
        }
        publish(txn_id, kTablet, version);
    }
};

TEST_F(MergeOnWriteCrashTest, Victim) {
    const auto self = victim();
    if (!self.has_value()) {
        GTEST_SKIP() << "runs in a process of its own, started by the other test";
    }
    open_engine_in(self->directory);
    prepare();
    ASSERT_TRUE(debug_points().add(self->point, {{"action", "kill"}}).ok());
    publish(kPartialTxn, kTablet, kPartialVersion);
    ASSERT_TRUE(write_full().ok());
    publish(kFullTxn, kTablet, kFullVersion);
}

TEST_F(MergeOnWriteCrashTest, EveryDebugPointLeavesLoadsWholeOrNotThere) {
    const std::vector<std::string> points{
        "StorageEngine.publish",
        "StorageEngine.publish.recomputed",
        "StorageEngine.publish.marked",
        "StorageEngine.publish.done",
        "TabletWriter.flush",
        "TabletWriter.flush.sorted",
        "TabletWriter.flush.done",
        "TabletWriter.commit",
        "StorageEngine.commit.marked",
        "TabletWriter.commit.done"
    };
    for (const std::string& point : points) {
        SCOPED_TRACE(point);
        kill_victim("MergeOnWriteCrashTest.Victim", point);
        open_engine();
        bring_to_end(kPartialTxn, kPartialVersion, [this] { return write_partial(); });
        bring_to_end(kFullTxn, kFullVersion, [this] { return write_full(); });
        EXPECT_EQ(read(kTablet, kFullVersion), expected());
        open_engine();
        EXPECT_EQ(read(kTablet, kFullVersion), expected());
        const TabletReport report = engine().tablet_reports(std::array{kTablet})[0];
        EXPECT_EQ(report.num_rows, static_cast<int64_t>(expected().size()));
        EXPECT_EQ(static_cast<int64_t>(num_files()), report.num_segments);
        empty_directory();
    }
}

TEST_F(MergeOnWriteCrashTest, AFailedPublishCanBeRepeated) {
    for (const char* point :
         {"StorageEngine.publish.recomputed",
          "StorageEngine.publish.marked",
          "StorageEngine.publish.done"}) {
        SCOPED_TRACE(point);
        open_engine();
        prepare();
        ASSERT_TRUE(debug_points().add(point, {}, 1).ok());
        EXPECT_FALSE(publish_status(kPartialTxn, kTablet, kPartialVersion).ok());
        publish(kPartialTxn, kTablet, kPartialVersion);
        ASSERT_TRUE(write_full().ok());
        publish(kFullTxn, kTablet, kFullVersion);
        EXPECT_EQ(read(kTablet, kFullVersion), expected());
        empty_directory();
    }
}

}  // namespace
}  // namespace thetis::merge_on_write
