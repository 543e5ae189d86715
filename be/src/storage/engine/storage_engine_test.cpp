// SPDX-License-Identifier: Apache-2.0
#include "storage/engine/storage_engine.h"

#include <gtest/gtest.h>

#include "base/debug_points.h"
#include "storage/tablet/tablet.h"
#include "storage/testing/storage_fixture.h"

namespace thetis {
namespace {

class StorageEngineTest : public StorageFixture {};

TEST_F(StorageEngineTest, RowsAreSeenAfterPublishAndAfterRestart) {
    open_engine();
    create_tablet(1);
    load(1, 100, 2, make_rows(0, 5000));
    EXPECT_EQ(scan_keys(1, 2), numbers(0, 5000));
    load(1, 101, 3, make_rows(5000, 10));

    open_engine();
    EXPECT_EQ(scan_keys(1, 2), numbers(0, 5000));
    EXPECT_EQ(scan_keys(1, 3), numbers(0, 5010));
    const auto reports = engine().tablet_reports({});
    ASSERT_EQ(reports.size(), 1U);
    EXPECT_EQ(reports[0].version, 3);
    EXPECT_EQ(reports[0].num_rows, 5010);
    EXPECT_EQ(reports[0].num_versions, 3);
}

TEST_F(StorageEngineTest, CommittedRowsWaitForTheirVersionAcrossARestart) {
    open_engine();
    create_tablet(1);
    write(1, 100, make_rows(0, 10));
    EXPECT_EQ(engine().pending_transactions(), std::vector<int64_t>{100});

    open_engine();
    EXPECT_EQ(scan_keys(1, 1), numbers(0, 0));
    EXPECT_EQ(engine().pending_transactions(), std::vector<int64_t>{100});
    publish(100, 1, 2);
    EXPECT_EQ(scan_keys(1, 2), numbers(0, 10));
    publish(100, 1, 2);  // Once more changes nothing.
    EXPECT_EQ(scan_keys(1, 2), numbers(0, 10));
}

TEST_F(StorageEngineTest, ClearedTransactionsLeaveNothing) {
    open_engine();
    create_tablet(1);
    write(1, 100, make_rows(0, 10));
    EXPECT_EQ(num_files(), 1U);
    EXPECT_TRUE(engine().clear_transaction(100).ok());
    EXPECT_EQ(num_files(), 0U);
    EXPECT_EQ(publish_status(100, 1, 2).code(), ErrorCode::kTransactionNotFound);
    EXPECT_TRUE(engine().clear_transaction(100).ok());
}

TEST_F(StorageEngineTest, AGapBelowAVersionIsAClearError) {
    open_engine();
    create_tablet(7);
    write(7, 100, make_rows(0, 1));
    write(7, 101, make_rows(1, 1));
    publish(101, 7, 3);
    const auto reader = engine().open_reader(7, 3, {});
    EXPECT_EQ(reader.status().code(), ErrorCode::kMissingVersion);
    EXPECT_THAT(
        reader.status().message(),
        testing::HasSubstr("Tablet 7 does not have version 3, only all up to 1")
    );
    EXPECT_EQ(engine().tablet_reports({})[0].version, 1);
    EXPECT_EQ(engine().tablet_reports({})[0].max_version, 3);
    publish(100, 7, 2);
    EXPECT_EQ(scan_keys(7, 3), numbers(0, 2));
}

TEST_F(StorageEngineTest, ARepeatedCommitKeepsOneRowsetAndAnotherLoadIsRefused) {
    open_engine();
    create_tablet(1);
    write(1, 100, make_rows(0, 10));
    write(1, 100, make_rows(0, 10));
    EXPECT_EQ(num_files(), 1U);
    auto writer = open_writer(1, 100, "another load");
    EXPECT_TRUE(writer->append(make_rows(0, 3)).ok());
    EXPECT_EQ(writer->close().code(), ErrorCode::kTransactionState);
    writer.reset();
    EXPECT_EQ(num_files(), 1U);
    publish(100, 1, 2);
    EXPECT_EQ(scan_keys(1, 2), numbers(0, 10));
}

TEST_F(StorageEngineTest, CancelledWritersLeaveNoFiles) {
    open_engine();
    create_tablet(1);
    auto writer = open_writer(1, 100, "load", 1);
    for (int i = 0; i < 5; ++i) {
        ASSERT_TRUE(writer->append(make_rows(i * 1000, 1000)).ok());
    }
    writer->cancel();
    EXPECT_EQ(writer->close().code(), ErrorCode::kCancelled);
    writer.reset();
    engine().shutdown();
    EXPECT_EQ(num_files(), 0U);
}

TEST_F(StorageEngineTest, ManySmallMemtablesMakeOneRowset) {
    open_engine();
    create_tablet(1);
    auto writer = open_writer(1, 100, "load", 1);  // Every append is flushed.
    for (int i = 19; i >= 0; --i) {
        ASSERT_TRUE(writer->append(make_rows(i * 100, 100)).ok());
    }
    ASSERT_TRUE(writer->close().ok());
    publish(100, 1, 2);
    EXPECT_EQ(num_files(), 20U);
    EXPECT_EQ(scan_keys(1, 2), numbers(0, 2000));
    EXPECT_EQ(engine().load_memory_bytes(), 0);
}

TEST_F(StorageEngineTest, EmptyLoadsMakeAVersionWithoutFiles) {
    open_engine();
    create_tablet(1);
    write(1, 100, make_rows(0, 0));
    publish(100, 1, 2);
    EXPECT_EQ(num_files(), 0U);
    EXPECT_EQ(scan_keys(1, 2), numbers(0, 0));
}

TEST_F(StorageEngineTest, DroppedTabletsAreGoneAndRunningReadersGoOn) {
    open_engine();
    create_tablet(1);
    load(1, 100, 2, make_rows(0, 100'000));
    auto reader = engine().open_reader(1, 2, {.column_unique_ids = {0}});
    ASSERT_TRUE(reader.ok());
    ASSERT_TRUE(engine().drop_tablet(1).ok());
    EXPECT_EQ(engine().get_tablet(1).status().code(), ErrorCode::kTabletNotFound);
    EXPECT_EQ(num_files(), 0U);
    EXPECT_EQ(keys_of(**reader), numbers(0, 100'000));
    ASSERT_TRUE(engine().drop_tablet(1).ok());
    create_tablet(1);
    EXPECT_EQ(scan_keys(1, 1), numbers(0, 0));
}

TEST_F(StorageEngineTest, FailedFlushAndFailedCommitFailTheLoadOnly) {
    for (const char* point : {"TabletWriter.flush", "TabletWriter.commit"}) {
        open_engine();
        create_tablet(1);
        ASSERT_TRUE(debug_points().add(point, {}).ok());
        auto writer = open_writer(1, 100, "load");
        ASSERT_TRUE(writer->append(make_rows(0, 10)).ok());
        EXPECT_EQ(writer->close().code(), ErrorCode::kIoError) << point;
        writer.reset();
        debug_points().clear();
        EXPECT_EQ(num_files(), 0U);
        load(1, 100, 2, make_rows(0, 10));
        EXPECT_EQ(scan_keys(1, 2), numbers(0, 10));
        ASSERT_TRUE(engine().drop_tablet(1).ok());
    }
}

TEST_F(StorageEngineTest, TooManyVersionsAreRefusedBeforeRowsAreTaken) {
    open_engine();
    create_tablet(1);
    ASSERT_TRUE(config().set("max_tablet_version_num", "2", true).ok());
    load(1, 100, 2, make_rows(0, 1));
    EXPECT_EQ(
        engine().open_writer(1, {.txn_id = 101}).status().code(), ErrorCode::kTooManyVersions
    );
}

TEST_F(StorageEngineTest, AFullDirectoryRefusesLoadsUntilThereIsRoom) {
    open_engine_in(directory(), 2000);
    create_tablet(1);
    create_tablet(2);
    load(1, 100, 2, make_rows(0, 5000));
    const Status refused = engine().open_writer(2, {.txn_id = 101}).status();
    EXPECT_EQ(refused.code(), ErrorCode::kDiskFull);
    EXPECT_THAT(refused.message(), testing::HasSubstr(directory()));
    EXPECT_EQ(scan_keys(1, 2), numbers(0, 5000));
    ASSERT_TRUE(engine().drop_tablet(1).ok());
    load(2, 101, 2, make_rows(0, 10));
    EXPECT_EQ(scan_keys(2, 2), numbers(0, 10));
}

TEST_F(StorageEngineTest, NullInANotNullColumnAndWrongTypesAreRefused) {
    open_engine();
    create_tablet(1);
    auto writer = open_writer(1, 100, "load");
    Batch rows = make_rows(0, 2);
    rows.columns[0] = Column::all_null(DataType::of(TypeId::kBigint), 2);
    EXPECT_EQ(writer->append(rows).code(), ErrorCode::kInvalidArgument);
    rows.columns[0] = Column::all_null(DataType::of(TypeId::kInt), 2);
    EXPECT_EQ(writer->append(rows).code(), ErrorCode::kInvalidArgument);
}

TEST_F(StorageEngineTest, CreateIsIdempotentAndTakesEveryModel) {
    open_engine();
    create_tablet(1);
    create_tablet(1);
    TabletSchemaDefinition other = definition();
    other.schema_version = 9;
    EXPECT_EQ(
        engine()
            .create_tablet({.tablet_id = 1, .schema = TabletSchema::create(other).take()})
            .code(),
        ErrorCode::kAlreadyExists
    );
    other.keys_model = KeysModel::kUnique;
    EXPECT_EQ(
        engine()
            .create_tablet({.tablet_id = 2, .schema = TabletSchema::create(other).take()})
            .code(),
        ErrorCode::kOk
    );
}

TEST(StoragePaths, FormsOfTheSetting) {
    const auto paths = parse_storage_paths("/a/,medium:ssd,capacity:5; /b.SSD;/c");
    ASSERT_TRUE(paths.ok());
    ASSERT_EQ(paths->size(), 3U);
    EXPECT_EQ((*paths)[0].path, "/a");
    EXPECT_EQ((*paths)[0].medium, "SSD");
    EXPECT_EQ((*paths)[0].capacity_bytes, int64_t{5} << 30);
    EXPECT_EQ((*paths)[1].path, "/b.SSD");
    EXPECT_EQ((*paths)[1].medium, "SSD");
    EXPECT_EQ((*paths)[2].medium, "HDD");
    for (const char* bad :
         {"", ";", "/a;/a", "/a,medium:TAPE", "/a,capacity:-1", "/a,colour:red"}) {
        EXPECT_EQ(parse_storage_paths(bad).status().code(), ErrorCode::kInvalidArgument) << bad;
    }
}

}  // namespace
}  // namespace thetis
