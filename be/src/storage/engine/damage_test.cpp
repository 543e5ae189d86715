// SPDX-License-Identifier: Apache-2.0
// What is stored of one tablet has wrong bytes: that replica is reported as bad, the others serve.
#include <fstream>

#include <rocksdb/db.h>

#include "storage/testing/merge_on_write_fixture.h"

namespace thetis::merge_on_write {
namespace {

class DamageTest : public MergeOnWriteFixture {
protected:
    /// Two versions of tablets 1 and 2; the second replaces rows of the first.
    void make_tablets() {
        open_engine();
        for (const int64_t tablet : {1, 2}) {
            create(tablet, schema(false));
            ASSERT_TRUE(write_rows(tablet, 10 + tablet, {{1, {1, "a"}}, {2, {2, "b"}}}).ok());
            publish(10 + tablet, tablet, 2);
            ASSERT_TRUE(write_rows(tablet, 20 + tablet, {{2, {3, "c"}}}).ok());
            publish(20 + tablet, tablet, 3);
        }
        EXPECT_EQ(read(1, 3), expected_);
    }

    /// Flips a bit in the middle of all metadata of tablet 1 of one kind; gives how many entries
    /// that were.
    int flip_metadata(char kind) {
        close_engine();
        rocksdb::DB* opened = nullptr;
        EXPECT_TRUE(rocksdb::DB::Open({}, directory() + "/meta", &opened).ok());
        const std::unique_ptr<rocksdb::DB> database(opened);
        const std::string prefix = std::string(1, kind) + std::string(7, '\0') + '\1';
        const std::unique_ptr<rocksdb::Iterator> entry(database->NewIterator({}));
        int count = 0;
        for (entry->Seek(prefix); entry->Valid() && entry->key().starts_with(prefix);
             entry->Next()) {
            std::string value = entry->value().ToString();
            value[value.size() / 2] = static_cast<char>(value[value.size() / 2] ^ 0x10);
            if (kind != 'd') {
                value.resize(value.size() / 2);  // Protobuf of these carries no checksum.
            }
            EXPECT_TRUE(database->Put({}, entry->key(), value).ok());
            ++count;
        }
        return count;
    }

    bool is_usable(int64_t tablet_id) {
        return engine().tablet_reports(std::array{tablet_id})[0].is_usable;
    }

    Status open_reader(int64_t tablet_id) {
        return engine().open_reader(tablet_id, 3, {.column_unique_ids = {0}}).status();
    }

    const Table expected_{{1, {1, "a"}}, {2, {3, "c"}}};
};

TEST_F(DamageTest, ADeleteBitmapWithAWrongChecksumClosesItsTabletOnly) {
    make_tablets();
    EXPECT_GE(flip_metadata('d'), 1);
    const size_t files = num_files();
    open_engine();
    EXPECT_EQ(num_files(), files);
    EXPECT_FALSE(is_usable(1));
    EXPECT_EQ(open_reader(1).code(), ErrorCode::kCorruption) << "a replaced row would come back";
    EXPECT_EQ(write_rows(1, 30, {{5, {5, "e"}}}).code(), ErrorCode::kCorruption);
    EXPECT_EQ(
        engine().compact_tablet(1, CompactionKind::kFull).status().code(), ErrorCode::kCorruption
    );
    EXPECT_TRUE(is_usable(2));
    EXPECT_EQ(read(2, 3), expected_);
    load(2, 4, {{7, {7, "g"}}});
    engine().run_garbage_collection();
    EXPECT_EQ(num_files(), files + 1);
    // A replica in its place begins anew.
    ASSERT_TRUE(engine().drop_tablet(1).ok());
    create(1, schema(false));
    load(1, 2, {{1, {1, "a"}}, {2, {3, "c"}}});
    load(1, 3, {});
    open_engine();
    EXPECT_TRUE(is_usable(1));
    EXPECT_EQ(read(1, 3), expected_);
}

TEST_F(DamageTest, UnreadableRowsetsAndTabletsLeaveTheOthersOpen) {
    for (const char kind : {'r', 't'}) {
        SCOPED_TRACE(kind);
        make_tablets();
        EXPECT_GE(flip_metadata(kind), 1);
        const size_t files = num_files();
        open_engine();
        EXPECT_EQ(num_files(), files) << "nobody knows what they are";
        EXPECT_EQ(engine().find_tablet(1) == nullptr, kind == 't');
        if (kind == 'r') {
            EXPECT_FALSE(is_usable(1));
        }
        EXPECT_FALSE(open_reader(1).ok());
        EXPECT_EQ(read(2, 3), expected_);
        empty_directory();
    }
}

TEST_F(DamageTest, APageThatAReadFindsCorruptIsReported) {
    for (const bool by_compaction : {false, true}) {
        SCOPED_TRACE(by_compaction);
        make_tablets();
        close_engine();
        const std::string of_tablet = directory() + "/data/1/";
        for (const auto& path : files()) {
            if (path.string().starts_with(of_tablet)) {
                // Behind the magic bytes the pages of values begin.
                std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
                file.seekp(40);
                file.put('\x5a');
            }
        }
        open_engine();
        EXPECT_TRUE(is_usable(1));
        const int changes = num_changes();
        if (by_compaction) {
            EXPECT_EQ(
                engine().compact_tablet(1, CompactionKind::kFull).status().code(),
                ErrorCode::kCorruption
            );
        } else {
            const auto reader = engine().open_reader(1, 3, {.column_unique_ids = {0, 1, 2}});
            ASSERT_TRUE(reader.ok()) << reader.status().to_string();
            EXPECT_TRUE(is_usable(1));
            Status found;
            for (const ScanSplit& split : (*reader)->splits()) {
                const auto rows = (*reader)->read(split);
                Batch batch;
                const Status status = rows.ok() ? (*rows)->next(batch).status() : rows.status();
                found = status.ok() ? found : status;
            }
            EXPECT_EQ(found.code(), ErrorCode::kCorruption) << found.to_string();
        }
        EXPECT_FALSE(is_usable(1));
        EXPECT_EQ(num_changes(), changes + 1) << "reported at once, and once";
        EXPECT_TRUE(is_usable(2));
        EXPECT_EQ(read(2, 3), expected_);
        empty_directory();
    }
}

}  // namespace
}  // namespace thetis::merge_on_write
