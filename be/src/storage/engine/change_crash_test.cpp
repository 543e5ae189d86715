// SPDX-License-Identifier: Apache-2.0
// Kills a process at every debug point of what rewrites a tablet: a DELETE by condition, base and
// full compaction, the conversion of a schema change. Afterwards the change is there whole or not
// at all, can be brought to its end, and no file that nobody knows is left.
#include <csignal>

#include <unistd.h>

#include "storage/engine/row_transform.h"
#include "storage/testing/merge_on_write_fixture.h"

namespace thetis {
namespace {

constexpr int64_t kTablet = 1;
constexpr int64_t kDeleteTxn = 50;
constexpr int64_t kDeleteVersion = 5;

class DeleteCrashTest : public StorageFixture {
protected:
    void prepare() {
        create_tablet(kTablet);
        for (int64_t i = 0; i < 3; ++i) {
            load(kTablet, 10 + i, 2 + i, make_rows(i * 1000, 1000));
        }
    }

    Status write_delete() {
        return engine().delete_data(
            {.txn_id = kDeleteTxn, .tablet_id = kTablet, .condition = "0 < 1500"}
        );
    }
};

TEST_F(DeleteCrashTest, Victim) {
    const auto self = victim();
    if (!self.has_value()) {
        GTEST_SKIP() << "runs in a process of its own, started by the other test";
    }
    open_engine_in(self->directory);
    prepare();
    ASSERT_TRUE(debug_points().add(self->point, {{"action", "kill"}}).ok());
    ASSERT_TRUE(write_delete().ok());
    publish(kDeleteTxn, kTablet, kDeleteVersion);
}

TEST_F(DeleteCrashTest, EveryDebugPointLeavesTheConditionWholeOrNotThere) {
    for (const char* point :
         {"StorageEngine.delete_data",
          "StorageEngine.commit.marked",
          "StorageEngine.delete_data.done",
          "StorageEngine.publish",
          "StorageEngine.publish.marked",
          "StorageEngine.publish.done"}) {
        SCOPED_TRACE(point);
        kill_victim("DeleteCrashTest.Victim", point);
        open_engine();
        const bool is_visible = engine().find_tablet(kTablet)->has_version(kDeleteVersion);
        EXPECT_EQ(is_visible, std::string_view(point) == "StorageEngine.publish.done");
        EXPECT_EQ(scan_keys(kTablet, kDeleteVersion - 1), numbers(0, 3000));
        if (!is_visible) {
            // What the front end does: the task again, if it does not know of its end.
            ASSERT_TRUE(write_delete().ok());
            EXPECT_EQ(engine().pending_transactions(), std::vector<int64_t>{kDeleteTxn});
            publish(kDeleteTxn, kTablet, kDeleteVersion);
        }
        EXPECT_EQ(scan_keys(kTablet, kDeleteVersion), numbers(1500, 1500));
        open_engine();
        EXPECT_EQ(scan_keys(kTablet, kDeleteVersion), numbers(1500, 1500));
        EXPECT_EQ(num_files(), 3U);
        empty_directory();
    }
}

const char* const kCompactionPoints[] = {
    "Compaction.write", "Compaction.commit", "Compaction.commit.done"
};

class BaseCompactionCrashTest : public StorageFixture {
protected:
    static constexpr int64_t kLastVersion = 7;

    /// Base and more below the cumulative point, a condition among them.
    void prepare() {
        create_tablet(kTablet);
        for (int64_t i = 0; i < 3; ++i) {
            load(kTablet, 10 + i, 2 + i, make_rows(i * 1000, 1000));
        }
        ASSERT_TRUE(
            engine().delete_data({.txn_id = 20, .tablet_id = kTablet, .condition = "0 < 1500"}).ok()
        );
        publish(20, kTablet, 5);
        load(kTablet, 21, 6, make_rows(0, 100));
        load(kTablet, 22, 7, make_rows(100, 100));
        ASSERT_TRUE(engine().compact_tablet(kTablet, CompactionKind::kCumulative).take());
        ASSERT_EQ(engine().find_tablet(kTablet)->cumulative_point(), 6);
    }

    static std::vector<int64_t> expected() {
        std::vector<int64_t> keys = numbers(0, 200);
        for (int64_t key = 1500; key < 3000; ++key) {
            keys.push_back(key);
        }
        return keys;
    }
};

TEST_F(BaseCompactionCrashTest, Victim) {
    const auto self = victim();
    if (!self.has_value()) {
        GTEST_SKIP() << "runs in a process of its own, started by the other test";
    }
    const bool is_full = self->point.starts_with("full ");
    open_engine_in(self->directory);
    prepare();
    ASSERT_TRUE(
        debug_points().add(self->point.substr(self->point.find(' ') + 1), {{"action", "kill"}}).ok()
    );
    const auto kind = is_full ? CompactionKind::kFull : CompactionKind::kBase;
    ASSERT_TRUE(engine().compact_tablet(kTablet, kind).ok());
}

TEST_F(BaseCompactionCrashTest, EveryDebugPointLeavesTheInputsOrTheOutput) {
    for (const bool is_full : {false, true}) {
        const auto kind = is_full ? CompactionKind::kFull : CompactionKind::kBase;
        for (const char* point : kCompactionPoints) {
            SCOPED_TRACE(fmt::format("{} {}", to_string(kind), point));
            kill_victim(
                "BaseCompactionCrashTest.Victim", fmt::format("{} {}", to_string(kind), point)
            );
            open_engine();
            const bool is_done = std::string_view(point) == "Compaction.commit.done";
            const auto report = [this] { return engine().tablet_reports(std::array{kTablet})[0]; };
            EXPECT_EQ(report().num_versions, is_done ? (is_full ? 1 : 3) : 5);
            EXPECT_EQ(scan_keys(kTablet, kLastVersion), expected());
            EXPECT_EQ(static_cast<int64_t>(num_files()), report().num_segments);
            EXPECT_EQ(engine().compact_tablet(kTablet, kind).take(), !is_done);
            EXPECT_EQ(scan_keys(kTablet, kLastVersion), expected());
            EXPECT_EQ(report().num_versions, is_full ? 1 : 3);
            load(kTablet, 30, kLastVersion + 1, make_rows(9000, 1));
            open_engine();
            EXPECT_EQ(report().num_rows, static_cast<int64_t>(expected().size()) + 1);
            EXPECT_EQ(static_cast<int64_t>(num_files()), report().num_segments);
            empty_directory();
        }
    }
}

/// Keys as they are, the number plus one.
class AddOne final : public RowTransform {
public:
    const std::vector<int32_t>& column_unique_ids() const override { return ids_; }

    Result<Batch> apply(const Batch& rows) const override {
        Batch result;
        result.num_rows = rows.num_rows;
        ColumnBuilder numbers(DataType::of(TypeId::kInt));
        const ColumnView<int32_t> values(*rows.columns[1]);
        for (uint32_t row = 0; row < rows.num_rows; ++row) {
            numbers.append<int32_t>(values[row] + 1);
        }
        result.columns = {rows.columns[0], numbers.finish()};
        return result;
    }

private:
    const std::vector<int32_t> ids_{0, 3};
};

class ConversionCrashTest : public StorageFixture {
protected:
    static constexpr int64_t kShadow = 2;
    static constexpr int64_t kHistory = 3;
    static constexpr int64_t kLastVersion = 4;

    /// Versions 2 and 3 are history, 4 is written to both.
    void prepare() {
        create_tablet(kTablet);
        load(kTablet, 10, 2, make_rows(0, 2000));
        load(kTablet, 11, 3, make_rows(2000, 1000));
        create_shadow();
        write_both(12, 4, 3000, 500);
    }

    void create_shadow() {
        TabletSchemaDefinition changed;
        changed.table_id = 10;
        changed.columns = {
            {.unique_id = 0,
             .name = "k",
             .type = DataType::of(TypeId::kBigint, false),
             .is_key = true},
            {.unique_id = 30, .name = "t", .type = DataType::of(TypeId::kInt)}
        };
        changed.num_short_key_columns = 1;
        CreateTabletRequest request;
        request.tablet_id = kShadow;
        request.schema = TabletSchema::create(std::move(changed)).take();
        request.is_shadow = true;
        ASSERT_TRUE(engine().create_tablet(request).ok());
    }

    void write_both(int64_t txn_id, int64_t version, int64_t first, uint32_t count) {
        const Batch rows = make_rows(first, count);
        load(kTablet, txn_id, version, rows);
        Batch converted;
        converted.num_rows = rows.num_rows;
        converted.columns = {rows.columns[0], rows.columns[3]};
        load(kShadow, txn_id, version, converted);
    }

    Status convert() {
        ConversionRequest request;
        request.base_tablet_id = kTablet;
        request.shadow_tablet_id = kShadow;
        request.version = kHistory;
        request.base_schema = TabletSchema::create(definition()).take();
        request.transform = std::make_shared<const AddOne>();
        return engine().convert_tablet(request);
    }
};

/// Counts the rows it is given, and ends the process when they are enough.
class CountRows final : public RowTransform {
public:
    explicit CountRows(int64_t kill_after) : kill_after_(kill_after) {}

    const std::vector<int32_t>& column_unique_ids() const override {
        return add_one_.column_unique_ids();
    }

    Result<Batch> apply(const Batch& rows) const override {
        if ((num_rows_ += rows.num_rows) > kill_after_) {
            ::kill(::getpid(), SIGKILL);
        }
        return add_one_.apply(rows);
    }

    int64_t num_rows() const { return num_rows_.load(); }

private:
    const AddOne add_one_;
    const int64_t kill_after_;
    mutable std::atomic<int64_t> num_rows_{0};
};

class ConversionResumeTest : public ConversionCrashTest {
protected:
    static constexpr int64_t kNumLoads = 6;

    /// Six segments of a thousand rows, and one that is written twice.
    void prepare_parts() {
        create_tablet(kTablet);
        for (int64_t i = 0; i < kNumLoads; ++i) {
            load(kTablet, 10 + i, 2 + i, make_rows(i * 1000, 1000));
        }
        create_shadow();
        write_both(20, 2 + kNumLoads, 6000, 500);
    }

    Status convert_counted(const std::shared_ptr<const CountRows>& transform) {
        EXPECT_TRUE(debug_points().add("SchemaChange.small_parts", {}).ok());
        ConversionRequest request;
        request.base_tablet_id = kTablet;
        request.shadow_tablet_id = kShadow;
        request.version = 1 + kNumLoads;
        request.base_schema = TabletSchema::create(definition()).take();
        request.transform = transform;
        return engine().convert_tablet(request);
    }

    void check_converted() {
        for (const bool restart : {false, true}) {
            if (restart) {
                open_engine();
            }
            EXPECT_EQ(scan_keys(kShadow, 2 + kNumLoads), numbers(0, 6500));
            EXPECT_EQ(scan_keys(kTablet, 2 + kNumLoads), numbers(0, 6500));
        }
        size_t segments = 0;
        for (const TabletReport& report : engine().tablet_reports({})) {
            segments += static_cast<size_t>(report.num_segments);
        }
        EXPECT_EQ(num_files(), segments);
    }
};

TEST_F(ConversionResumeTest, Victim) {
    const auto self = victim();
    if (!self.has_value()) {
        GTEST_SKIP() << "runs in a process of its own, started by the other test";
    }
    open_engine_in(self->directory);
    prepare_parts();
    const bool is_failing = self->point == "fails once";
    if (is_failing) {
        ASSERT_TRUE(debug_points().add("TabletWriter.flush.done", {}, 1).ok());
        ASSERT_FALSE(convert_counted(std::make_shared<const CountRows>(INT64_MAX)).ok());
    }
    ASSERT_TRUE(convert_counted(std::make_shared<const CountRows>(3500)).ok());
}

TEST_F(ConversionResumeTest, WhatIsRecordedIsNotConvertedAgain) {
    for (const char* point : {"plain", "fails once"}) {
        SCOPED_TRACE(point);
        kill_victim("ConversionResumeTest.Victim", point);
        open_engine();
        EXPECT_FALSE(engine().is_converted(kShadow));
        EXPECT_TRUE(engine().pending_transactions().empty());
        // Three parts were recorded, the fourth was being written.
        const auto transform = std::make_shared<const CountRows>(INT64_MAX);
        ASSERT_TRUE(convert_counted(transform).ok());
        EXPECT_EQ(transform->num_rows(), 3000);
        check_converted();
        empty_directory();
    }
}

TEST_F(ConversionResumeTest, ACompactedBaseIsConvertedFromItsBeginning) {
    kill_victim("ConversionResumeTest.Victim", "plain");
    open_engine();
    ASSERT_TRUE(engine().compact_tablet(kTablet, CompactionKind::kFull).take());
    open_engine();
    const auto transform = std::make_shared<const CountRows>(INT64_MAX);
    ASSERT_TRUE(convert_counted(transform).ok());
    EXPECT_EQ(transform->num_rows(), 6500);
    check_converted();
}

TEST_F(ConversionCrashTest, Victim) {
    const auto self = victim();
    if (!self.has_value()) {
        GTEST_SKIP() << "runs in a process of its own, started by the other test";
    }
    open_engine_in(self->directory);
    prepare();
    ASSERT_TRUE(debug_points().add("SchemaChange.small_parts", {}).ok());
    ASSERT_TRUE(debug_points().add(self->point, {{"action", "kill"}}).ok());
    ASSERT_TRUE(convert().ok());
}

TEST_F(ConversionCrashTest, EveryDebugPointLeavesAShadowOrAConvertedTablet) {
    for (const char* point :
         {"SchemaChange.convert",
          "SchemaChange.write",
          "TabletWriter.flush",
          "TabletWriter.flush.sorted",
          "TabletWriter.flush.done",
          "TabletWriter.commit",
          "SchemaChange.part",
          "TabletWriter.commit.done",
          "SchemaChange.commit",
          "SchemaChange.settled",
          "SchemaChange.commit.done"}) {
        SCOPED_TRACE(point);
        kill_victim("ConversionCrashTest.Victim", point);
        open_engine();
        EXPECT_EQ(
            engine().is_converted(kShadow), std::string_view(point) == "SchemaChange.commit.done"
        );
        EXPECT_TRUE(engine().pending_transactions().empty());
        // Whatever comes of the change: the table is as it was.
        EXPECT_EQ(scan_keys(kTablet, kLastVersion), numbers(0, 3500));
        // The front end sends the task again until it is done.
        ASSERT_TRUE(convert().ok());
        EXPECT_TRUE(engine().is_converted(kShadow));
        EXPECT_EQ(scan_keys(kShadow, kLastVersion), numbers(0, 3500));
        open_engine();
        EXPECT_EQ(scan_keys(kShadow, kLastVersion), numbers(0, 3500));
        int64_t segments = 0;
        for (const TabletReport& report : engine().tablet_reports({})) {
            segments += report.num_segments;
        }
        EXPECT_EQ(static_cast<int64_t>(num_files()), segments);
        empty_directory();
    }
}

}  // namespace

namespace merge_on_write {
namespace {

/// Full compaction with delete bitmaps and delete-signed rows, while loads wait for their versions:
/// one commits before it and one is published after it.
class FullCompactionCrashTest : public MergeOnWriteFixture {
protected:
    static constexpr int64_t kPendingTxn = 50;
    static constexpr int64_t kPendingVersion = 5;

    static Rows rows_of(int64_t first, int64_t count, int64_t number, int sign = 0) {
        Rows rows;
        for (int64_t key = first; key < first + count; ++key) {
            rows.push_back({key, {number, "text", sign}});
        }
        return rows;
    }

    void prepare() {
        create(kTablet, schema(false));
        load(kTablet, 2, rows_of(0, 1000, 1));
        load(kTablet, 3, rows_of(500, 1000, 2), 300);
        load(kTablet, 4, rows_of(100, 200, 3, 1));
        ASSERT_TRUE(write_rows(kTablet, kPendingTxn, rows_of(50, 100, 4)).ok());
    }

    static Table expected() {
        Table table;
        for (int64_t key = 0; key < 1500; ++key) {
            const bool is_deleted = key >= 150 && key < 300;
            if (!is_deleted) {
                table[key] = {key >= 50 && key < 150 ? 4 : key < 500 ? 1 : 2, "text"};
            }
        }
        return table;
    }

    Table read_live(int64_t version) {
        Table table = read(kTablet, version);
        std::erase_if(table, [](const auto& entry) { return entry.second.sign != 0; });
        return table;
    }
};

TEST_F(FullCompactionCrashTest, Victim) {
    const auto self = victim();
    if (!self.has_value()) {
        GTEST_SKIP() << "runs in a process of its own, started by the other test";
    }
    open_engine_in(self->directory);
    prepare();
    ASSERT_TRUE(debug_points().add(self->point, {{"action", "kill"}}).ok());
    ASSERT_TRUE(engine().compact_tablet(kTablet, CompactionKind::kFull).ok());
}

TEST_F(FullCompactionCrashTest, EveryDebugPointLeavesRowsAndMarks) {
    for (const char* point : kCompactionPoints) {
        SCOPED_TRACE(point);
        kill_victim("FullCompactionCrashTest.Victim", point);
        open_engine();
        EXPECT_EQ(engine().pending_transactions(), std::vector<int64_t>{kPendingTxn});
        publish(kPendingTxn, kTablet, kPendingVersion);
        EXPECT_EQ(read_live(kPendingVersion), expected());
        ASSERT_TRUE(engine().compact_tablet(kTablet, CompactionKind::kFull).take());
        EXPECT_EQ(read(kTablet, kPendingVersion), expected());
        open_engine();
        EXPECT_EQ(read(kTablet, kPendingVersion), expected());
        const TabletReport report = engine().tablet_reports(std::array{kTablet})[0];
        EXPECT_EQ(report.num_rows, static_cast<int64_t>(expected().size()));
        EXPECT_EQ(static_cast<int64_t>(num_files()), report.num_segments);
        empty_directory();
    }
}

}  // namespace
}  // namespace merge_on_write
}  // namespace thetis
