// SPDX-License-Identifier: Apache-2.0
#include "storage/segment/primary_key_index.h"

#include <filesystem>
#include <map>
#include <random>

#include <gtest/gtest.h>
#include <unistd.h>

#include "column/builder.h"
#include "storage.pb.h"
#include "storage/segment/primary_key_writer.h"
#include "storage/segment/segment.h"
#include "storage/segment/segment_writer.h"

namespace thetis {
namespace {

class PrimaryKeyIndexTest : public ::testing::Test {
protected:
    PrimaryKeyIndexTest() {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "primary_key_test_XXXXXX").string();
        directory_ = ::mkdtemp(pattern.data());
        path_ = directory_ + "/a.dat";
    }

    ~PrimaryKeyIndexTest() override { std::filesystem::remove_all(directory_); }

    static TabletSchemaPtr schema_of(const std::vector<DataType>& keys, bool with_sequence) {
        TabletSchemaDefinition definition;
        definition.keys_model = KeysModel::kUnique;
        definition.merge_on_write = true;
        for (size_t i = 0; i < keys.size(); ++i) {
            SchemaColumn column;
            column.unique_id = static_cast<int32_t>(i);
            column.name = "k";
            column.type = keys[i];
            column.is_key = true;
            definition.columns.push_back(column);
        }
        if (with_sequence) {
            SchemaColumn column;
            column.unique_id = 100;
            column.name = "seq";
            column.type = DataType::of(TypeId::kInt);
            definition.columns.push_back(column);
            definition.sequence_id = 100;
        }
        return TabletSchema::create(definition).take();
    }

    /// Rows with distinct keys in order; values are few, so that prefixes repeat.
    static std::vector<ColumnPtr> make_rows(
        const TabletSchemaPtr& schema, uint32_t wanted, std::mt19937_64& random
    ) {
        std::vector<ColumnPtr> columns;
        for (const SchemaColumn& column : schema->columns()) {
            ColumnBuilder builder(column.type);
            for (uint32_t row = 0; row < wanted; ++row) {
                const uint64_t value = random() % (column.is_key ? 60000 : 9);
                if (column.type.nullable && value < 20) {
                    builder.append_null();
                    continue;
                }
                visit_physical(column.type.physical(), [&]<typename T>(T) {
                    if constexpr (std::is_same_v<T, StringRef>) {
                        std::string text = fmt::format("key {}", value);
                        text[value % text.size()] = static_cast<char>(value % 3);
                        builder.append_string(text);
                    } else if constexpr (std::is_same_v<T, uint8_t>) {
                        builder.append<T>(static_cast<T>(value % 2));
                    } else {
                        builder.append<T>(static_cast<T>(value) - static_cast<T>(30000));
                    }
                });
            }
            columns.push_back(builder.finish());
        }
        SortKeys keys;
        make_key_encoder(*schema).encode(
            std::span(columns).first(schema->num_key_columns()), nullptr, wanted, keys
        );
        std::map<std::string_view, uint32_t> distinct;
        for (uint32_t row = 0; row < wanted; ++row) {
            distinct.emplace(keys[row], row);
        }
        std::vector<uint32_t> order;
        for (const auto& [key, row] : distinct) {
            order.push_back(row);
        }
        for (ColumnPtr& column : columns) {
            column = gather(column, order.data(), static_cast<uint32_t>(order.size()));
        }
        return columns;
    }

    std::shared_ptr<const Segment> write(
        const TabletSchemaPtr& schema, const std::vector<ColumnPtr>& columns, pb::SegmentMeta& meta
    ) {
        auto writer = SegmentWriter::create(*local_file_system(), path_, schema, true).take();
        EXPECT_TRUE(writer->append(columns).ok());
        const Status status = writer->finish(columns[0]->size(), false, meta);
        EXPECT_TRUE(status.ok()) << status.to_string();
        auto segment = Segment::open(*local_file_system(), path_, nullptr);
        EXPECT_TRUE(segment.ok()) << segment.status().to_string();
        return segment.take();
    }

    std::string directory_;
    std::string path_;
};

TEST_F(PrimaryKeyIndexTest, KeysOfEveryTypeAreFoundAndComeInOrder) {
    const std::vector<std::vector<DataType>> keys{
        {DataType::of(TypeId::kBigint)},
        {DataType::of(TypeId::kInt, false), DataType::varchar(50)},
        {DataType::varchar(50), DataType::of(TypeId::kBoolean), DataType::of(TypeId::kSmallint)},
        {DataType::of(TypeId::kLargeint), DataType::of(TypeId::kDate)},
        {DataType::decimal(30, 4), DataType::datetime(3)}
    };
    std::mt19937_64 random(5);
    for (size_t i = 0; i < keys.size(); ++i) {
        SCOPED_TRACE(i);
        const TabletSchemaPtr schema = schema_of(keys[i], i % 2 == 0);
        const std::vector<ColumnPtr> rows = make_rows(schema, 30000, random);
        const uint32_t num_rows = rows[0]->size();
        pb::SegmentMeta meta;
        const auto segment = write(schema, rows, meta);
        auto reader = PrimaryKeyReader::open(segment).take();
        const auto index = segment->primary_key_index().take();
        SortKeys encoded;
        make_key_encoder(*schema).encode(
            std::span(rows).first(schema->num_key_columns()), nullptr, num_rows, encoded
        );
        EXPECT_EQ(meta.min_key(), encoded[0]);
        EXPECT_EQ(meta.max_key(), encoded[num_rows - 1]);
        ASSERT_TRUE(reader.seek_to_first().ok());
        for (uint32_t row = 0; row < num_rows; ++row) {
            ASSERT_TRUE(reader.valid());
            ASSERT_EQ(reader.row(), row);
            ASSERT_EQ(reader.key(), encoded[row]);
            EXPECT_EQ(reader.sequence().size(), i % 2 == 0 ? 5U : 0U);
            ASSERT_TRUE(reader.next().ok());
        }
        EXPECT_FALSE(reader.valid());
        for (uint32_t row = 0; row < num_rows; row += row % 100 < 5 ? 1 : 95) {
            ASSERT_EQ(index->find(encoded[row]).take(), std::optional(row));
            const std::string_view key = encoded[row];
            std::string near(key);
            near.back() = static_cast<char>(near.back() ^ 1);
            const bool is_next = row + 1 < num_rows && encoded[row + 1] == near;
            const bool is_before = row > 0 && encoded[row - 1] == near;
            ASSERT_EQ(
                index->find(near).take(),
                is_next     ? std::optional(row + 1)
                : is_before ? std::optional(row - 1)
                            : std::nullopt
            );
            for (const std::string_view tail : {"", "\x01", "\xFF"}) {
                const std::string other =
                    std::string(key.substr(0, key.size() - (tail.empty() ? 1 : 0))) +
                    std::string(tail);
                ASSERT_EQ(index->find(other).take(), std::nullopt);
            }
        }
        EXPECT_EQ(index->find("").take(), std::nullopt);
        EXPECT_EQ(index->find("\xFF").take(), std::nullopt);
        uint32_t false_answers = 0;
        for (uint32_t k = 0; k < 20000; ++k) {
            // Forward, backward, and keys that are not there.
            const uint32_t row = k < 10000 ? k * num_rows / 10000 : random() % num_rows;
            std::string key(encoded[row]);
            EXPECT_TRUE(reader.may_contain(key, SplitBlockFilter::hash(key)));
            ASSERT_TRUE(reader.find(key).take());
            ASSERT_EQ(reader.row(), row);
            key += '\x01';
            ASSERT_FALSE(reader.find(key).take());
            EXPECT_EQ(reader.valid() ? reader.row() : num_rows, row + 1);
            false_answers += reader.may_contain(key, SplitBlockFilter::hash(key)) ? 1 : 0;
        }
        EXPECT_LT(false_answers, 20000U / 50);
    }
}

TEST_F(PrimaryKeyIndexTest, EqualKeysInASegmentAreRefused) {
    const TabletSchemaPtr schema = schema_of({DataType::of(TypeId::kInt, false)}, false);
    ColumnBuilder builder(DataType::of(TypeId::kInt, false));
    builder.append<int32_t>(1);
    builder.append<int32_t>(1);
    auto writer = SegmentWriter::create(*local_file_system(), path_, schema, true).take();
    ASSERT_TRUE(writer->append({builder.finish()}).ok());
    pb::SegmentMeta meta;
    EXPECT_EQ(writer->finish(2, false, meta).code(), ErrorCode::kInternal);
}

TEST_F(PrimaryKeyIndexTest, FlippedBytesAreErrorsNeverWrongKeys) {
    std::mt19937_64 random(11);
    const TabletSchemaPtr schema = schema_of({DataType::varchar(50)}, true);
    const std::vector<ColumnPtr> rows = make_rows(schema, 20000, random);
    pb::SegmentMeta meta;
    write(schema, rows, meta);
    SortKeys encoded;
    make_key_encoder(*schema).encode(std::span(rows).first(1), nullptr, rows[0]->size(), encoded);
    const std::string good = read_file(*local_file_system(), path_).take();
    int errors = 0;
    for (int i = 0; i < 300; ++i) {
        std::string damaged(good);
        // Most of the second half is the index.
        const size_t at = good.size() / 2 + random() % (good.size() / 2);
        damaged[at] = static_cast<char>(damaged[at] ^ (1 << random() % 8));
        ASSERT_TRUE(write_file_atomically(*local_file_system(), path_, damaged).ok());
        const auto segment = Segment::open(*local_file_system(), path_, nullptr);
        auto reader = segment.ok() ? PrimaryKeyReader::open(*segment)
                                   : Result<PrimaryKeyReader>(segment.status());
        Status status = reader.ok() ? reader->seek_to_first() : reader.status();
        for (uint32_t row = 0; status.ok() && row < rows[0]->size(); ++row) {
            ASSERT_EQ(reader->key(), encoded[row]);
            status = reader->next();
        }
        errors += status.ok() ? 0 : 1;
    }
    EXPECT_GT(errors, 100);
}

}  // namespace
}  // namespace thetis
