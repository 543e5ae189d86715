// SPDX-License-Identifier: Apache-2.0
// What becomes of tablets and files in the course of time: trash, orphans, limits, full disks.
#include <fstream>

#include "storage/tablet/tablet.h"
#include "storage/testing/storage_fixture.h"

namespace thetis {
namespace {

class LifeTest : public StorageFixture {
protected:
    void set(const std::string& key, const std::string& value) {
        const Status status = config().set(key, value, true);
        ASSERT_TRUE(status.ok()) << status.to_string();
    }

    size_t entries_in_trash() const {
        size_t count = 0;
        for ([[maybe_unused]] const auto& entry :
             std::filesystem::directory_iterator(directory() + "/trash")) {
            ++count;
        }
        return count;
    }

    void put_file(const std::string& path) const {
        std::filesystem::create_directories(std::filesystem::path(path).parent_path());
        std::ofstream(path) << "left over";
    }
};

TEST_F(LifeTest, DroppedTabletsStayInTheTrashForAWhile) {
    open_engine();
    create_tablet(1);
    load(1, 100, 2, make_rows(0, 100));
    set("trash_file_expire_time_sec", "1000");
    ASSERT_TRUE(engine().drop_tablet(1).ok());
    EXPECT_EQ(entries_in_trash(), 1U);
    engine().run_garbage_collection();
    EXPECT_EQ(entries_in_trash(), 1U);
    open_engine();
    EXPECT_EQ(entries_in_trash(), 1U);
    EXPECT_EQ(engine().find_tablet(1), nullptr);
    set("trash_file_expire_time_sec", "0");
    engine().run_garbage_collection();
    EXPECT_EQ(entries_in_trash(), 0U);
    EXPECT_EQ(num_files(), 0U);
    create_tablet(1);
    EXPECT_EQ(scan_keys(1, 1), std::vector<int64_t>{});
}

TEST_F(LifeTest, ADropThatWasCutOffStillGoesThroughTheTrash) {
    open_engine();
    create_tablet(1);
    load(1, 100, 2, make_rows(0, 100));
    set("trash_file_expire_time_sec", "1000");
    ASSERT_TRUE(debug_points().add("StorageEngine.drop_tablet", {}).ok());
    EXPECT_FALSE(engine().drop_tablet(1).ok());
    debug_points().clear();
    EXPECT_EQ(entries_in_trash(), 0U);
    open_engine();
    EXPECT_EQ(entries_in_trash(), 1U);
}

TEST_F(LifeTest, OrphansAreFoundWhileLoadsRun) {
    open_engine();
    create_tablet(1);
    load(1, 100, 2, make_rows(0, 100));
    const std::string tablet = files().front().parent_path().string();
    put_file(tablet + "/0123456789abcdef0123456789abcdef0123456789abcdef_0.dat");
    put_file(tablet + "/what_is_this");
    put_file(directory() + "/data/77/77/123/0123456789abcdef_0.dat");
    // One that is being written, one that waits for its version, one that was merged away.
    auto writer = open_writer(1, 101, "load", 1);
    ASSERT_TRUE(writer->append(make_rows(100, 50)).ok());
    write(1, 102, make_rows(150, 50));
    set("path_gc_check_interval_second", "0");
    engine().run_garbage_collection();
    EXPECT_FALSE(std::filesystem::exists(tablet + "/what_is_this"));
    EXPECT_FALSE(std::filesystem::exists(directory() + "/data/77/77"));
    ASSERT_TRUE(writer->close().ok());
    publish(101, 1, 3);
    publish(102, 1, 4);
    EXPECT_EQ(scan_keys(1, 4), numbers(0, 200));
    EXPECT_EQ(num_files(), 3U);
    ASSERT_TRUE(engine().compact_tablet(1, CompactionKind::kCumulative).take());
    engine().run_garbage_collection();
    EXPECT_EQ(scan_keys(1, 3), numbers(0, 150));
}

TEST_F(LifeTest, AtTheLimitOfVersionsNewLoadsAreRefusedAndOldOnesAreNot) {
    open_engine();
    create_tablet(1);
    set("max_tablet_version_num", "10");
    for (int i = 0; i < 8; ++i) {
        load(1, 100 + i, 2 + i, make_rows(i * 10, 10));
    }
    // Three that were let in before the limit is reached.
    auto first = open_writer(1, 200, "load");
    auto second = open_writer(1, 201, "load");
    load(1, 108, 10, make_rows(80, 10));
    const auto refused = engine().open_writer(1, {.txn_id = 300, .load_id = "load"});
    EXPECT_EQ(refused.status().code(), ErrorCode::kTooManyVersions);
    ASSERT_TRUE(first->append(make_rows(90, 10)).ok());
    ASSERT_TRUE(first->close().ok());
    publish(200, 1, 11);
    ASSERT_TRUE(second->append(make_rows(100, 10)).ok());
    ASSERT_TRUE(second->close().ok());
    publish(201, 1, 12);
    EXPECT_EQ(scan_keys(1, 12), numbers(0, 110));
    ASSERT_TRUE(engine().compact_tablet(1, CompactionKind::kCumulative).take());
    load(1, 300, 13, make_rows(110, 10));
    EXPECT_EQ(scan_keys(1, 13), numbers(0, 120));
}

TEST_F(LifeTest, AFullDiskRefusesWritesAndServesReads) {
    open_engine();
    create_tablet(1);
    load(1, 100, 2, make_rows(0, 100));
    for (const char* point : {"StorageEngine.check_room", "TabletWriter.flush"}) {
        SCOPED_TRACE(point);
        ASSERT_TRUE(debug_points().add(point, {{"action", "full"}}).ok());
        auto writer = engine().open_writer(1, {.txn_id = 101, .load_id = "load"});
        Status status = writer.status();
        if (writer.ok()) {
            ASSERT_TRUE((*writer)->append(make_rows(100, 10)).ok());
            status = (*writer)->close();
        }
        EXPECT_EQ(status.code(), ErrorCode::kDiskFull) << status.to_string();
        EXPECT_EQ(scan_keys(1, 2), numbers(0, 100));
        debug_points().clear();
    }
    EXPECT_EQ(num_files(), 1U);
    load(1, 101, 3, make_rows(100, 10));
    EXPECT_EQ(scan_keys(1, 3), numbers(0, 110));
    // By the configured flood stage: any disk has less left than this.
    set("storage_flood_stage_usage_percent", "0");
    set("storage_flood_stage_left_capacity_bytes", std::to_string(INT64_MAX));
    const auto refused = engine().open_writer(1, {.txn_id = 102, .load_id = "load"});
    EXPECT_EQ(refused.status().code(), ErrorCode::kDiskFull);
    EXPECT_EQ(
        engine().compact_tablet(1, CompactionKind::kFull).status().code(), ErrorCode::kDiskFull
    );
    set("storage_flood_stage_left_capacity_bytes", "0");
    load(1, 102, 4, make_rows(110, 10));
}

TEST_F(LifeTest, BaseCompactionDropsWhatConditionsDelete) {
    open_engine();
    create_tablet(1);
    load(1, 100, 2, make_rows(0, 100));
    load(1, 101, 3, make_rows(100, 100));
    ASSERT_TRUE(engine().delete_data({.txn_id = 102, .tablet_id = 1, .condition = "0 < 150"}).ok());
    publish(102, 1, 4);
    load(1, 103, 5, make_rows(0, 10));
    load(1, 104, 6, make_rows(10, 10));
    std::vector<int64_t> expected = numbers(0, 20);
    for (int64_t key = 150; key < 200; ++key) {
        expected.push_back(key);
    }
    EXPECT_EQ(scan_keys(1, 6), expected);
    ASSERT_TRUE(engine().compact_tablet(1, CompactionKind::kCumulative).take());
    EXPECT_EQ(engine().find_tablet(1)->cumulative_point(), 5);
    EXPECT_EQ(scan_keys(1, 6), expected);
    ASSERT_TRUE(engine().compact_tablet(1, CompactionKind::kCumulative).take());
    EXPECT_EQ(engine().tablet_reports({})[0].num_versions, 4);  // Base, merged, condition, merged.
    open_engine();
    EXPECT_EQ(engine().find_tablet(1)->cumulative_point(), 5);
    ASSERT_TRUE(engine().compact_tablet(1, CompactionKind::kBase).take());
    EXPECT_EQ(engine().tablet_reports({})[0].num_rows, 70);
    EXPECT_EQ(scan_keys(1, 6), expected);
    EXPECT_EQ(scan_keys(1, 3), numbers(0, 200));
    ASSERT_TRUE(engine().compact_tablet(1, CompactionKind::kFull).take());
    EXPECT_EQ(engine().tablet_reports({})[0].num_versions, 1);
    EXPECT_EQ(scan_keys(1, 6), expected);
}

/// Keys as they are, t + 1, and a new text.
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
        result.columns = {numbers.finish(), rows.columns[0]};
        return result;
    }

private:
    const std::vector<int32_t> ids_{0, 3};
};

class ConversionTest : public LifeTest {
protected:
    /// Key t, value k: another order.
    static TabletSchemaPtr shadow_schema() {
        TabletSchemaDefinition definition;
        definition.table_id = 10;
        definition.columns = {
            {.unique_id = 30, .name = "t", .type = DataType::of(TypeId::kInt), .is_key = true},
            {.unique_id = 0, .name = "k", .type = DataType::of(TypeId::kBigint, false)}
        };
        definition.num_short_key_columns = 1;
        return TabletSchema::create(std::move(definition)).take();
    }

    void create_shadow(int64_t tablet_id) {
        CreateTabletRequest request;
        request.tablet_id = tablet_id;
        request.schema = shadow_schema();
        request.is_shadow = true;
        ASSERT_TRUE(engine().create_tablet(request).ok());
    }

    void write_shadow(int64_t tablet_id, int64_t txn_id, int64_t first, uint32_t count) {
        const Batch rows = make_rows(first, count);
        Batch converted;
        converted.num_rows = count;
        converted.columns = {rows.columns[3], rows.columns[0]};
        write(tablet_id, txn_id, converted);
    }

    Status convert(int64_t version) {
        ConversionRequest request;
        request.base_tablet_id = 1;
        request.shadow_tablet_id = 2;
        request.version = version;
        request.base_schema = TabletSchema::create(definition()).take();
        request.transform = std::make_shared<const AddOne>();
        return engine().convert_tablet(request);
    }
};

TEST_F(ConversionTest, HistoryComesBelowWhatWasWrittenTwice) {
    open_engine();
    create_tablet(1);
    load(1, 100, 2, make_rows(0, 500));
    create_shadow(2);
    for (int i = 0; i < 3; ++i) {
        // Versions 3 to 5 are written to both; 3 is also part of the history.
        load(1, 101 + i, 3 + i, make_rows(500 + i * 100, 100));
        write_shadow(2, 101 + i, 500 + i * 100, 100);
        publish(101 + i, 2, 3 + i);
    }
    write_shadow(2, 104, 800, 100);
    EXPECT_EQ(engine().open_reader(2, 5, {}).status().code(), ErrorCode::kMissingVersion);
    EXPECT_FALSE(engine().is_converted(2));
    for (const char* point :
         {"SchemaChange.convert", "SchemaChange.write", "SchemaChange.commit"}) {
        ASSERT_TRUE(debug_points().add(point, {}).ok());
        EXPECT_EQ(convert(3).code(), ErrorCode::kIoError) << point;
        debug_points().clear();
        EXPECT_FALSE(engine().is_converted(2));
    }
    open_engine();
    EXPECT_EQ(engine().pending_transactions(), std::vector<int64_t>{104});
    ASSERT_TRUE(convert(3).ok());
    EXPECT_TRUE(engine().is_converted(2));
    ASSERT_TRUE(convert(3).ok());
    open_engine();
    EXPECT_TRUE(engine().is_converted(2));
    EXPECT_EQ(scan_keys(2, 3), numbers(0, 600));
    EXPECT_EQ(scan_keys(2, 5), numbers(0, 800));
    publish(104, 2, 6);
    EXPECT_EQ(scan_keys(2, 6), numbers(0, 900));
    EXPECT_EQ(engine().tablet_reports(std::array{int64_t{2}})[0].version, 6);
    ASSERT_TRUE(engine().compact_tablet(2, CompactionKind::kFull).take());
    EXPECT_EQ(scan_keys(2, 6), numbers(0, 900));
}

TEST_F(ConversionTest, WhatTheHistoryCoversHoldsNoFilesOpen) {
    open_engine();
    create_tablet(1);
    create_shadow(2);
    for (int i = 0; i < 6; ++i) {
        load(1, 100 + i, 2 + i, make_rows(i * 10, 10));
        write_shadow(2, 100 + i, i * 10, 10);
        publish(100 + i, 2, 2 + i);
    }
    const auto shadow = engine().find_tablet(2);
    for (const RowsetPtr& rowset : shadow->visible_rowsets()) {
        ASSERT_TRUE(rowset->segments().ok());
    }
    EXPECT_EQ(num_open_segments(shadow->directory()), 6U);
    ASSERT_TRUE(convert(5).ok());  // Covers versions 2 to 5; 6 and 7 stay open.
    EXPECT_EQ(shadow->stale_rowsets().size(), 4U);
    EXPECT_EQ(num_open_segments(shadow->directory()), 2U);
    EXPECT_EQ(scan_keys(2, 7), numbers(0, 60));
}

TEST_F(ConversionTest, AMergedHistoryIsTakenAsFarAsItGoes) {
    open_engine();
    create_tablet(1);
    create_shadow(2);
    for (int i = 0; i < 6; ++i) {
        load(1, 100 + i, 2 + i, make_rows(i * 10, 10));
        write_shadow(2, 100 + i, i * 10, 10);
        publish(100 + i, 2, 2 + i);
    }
    ASSERT_TRUE(engine().compact_tablet(1, CompactionKind::kCumulative).take());
    open_engine();  // Replaced rowsets are gone: version 4 alone cannot be read any more.
    ASSERT_TRUE(convert(4).ok());
    EXPECT_EQ(scan_keys(2, 7), numbers(0, 60));
    // A tablet without history has nothing to convert.
    create_shadow(3);
    ConversionRequest request;
    request.base_tablet_id = 1;
    request.shadow_tablet_id = 3;
    request.version = 1;
    ASSERT_TRUE(engine().convert_tablet(request).ok());
    EXPECT_TRUE(engine().is_converted(3));
}

}  // namespace
}  // namespace thetis
