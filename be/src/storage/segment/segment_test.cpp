// SPDX-License-Identifier: Apache-2.0
#include "storage/segment/segment.h"

#include <filesystem>
#include <random>

#include <gtest/gtest.h>
#include <unistd.h>

#include "column/builder.h"
#include "column/scalar.h"
#include "storage.pb.h"
#include "storage/segment/segment_iterator.h"
#include "storage/segment/segment_writer.h"

namespace thetis {
namespace {

/// One column of every physical type, with nulls, over `num_rows` rows; the key column first.
struct Table {
    std::vector<DataType> types{};
    std::vector<ColumnPtr> columns{};
    uint32_t num_rows = 0;
};

Table make_table(uint32_t num_rows, uint32_t seed) {
    Table table{.num_rows = num_rows};
    table.types = {
        DataType::of(TypeId::kBigint, false),
        DataType::of(TypeId::kBoolean),
        DataType::of(TypeId::kTinyint),
        DataType::of(TypeId::kSmallint),
        DataType::of(TypeId::kInt),
        DataType::of(TypeId::kLargeint),
        DataType::of(TypeId::kFloat),
        DataType::of(TypeId::kDouble),
        DataType::varchar(),
        DataType::varchar(),
        DataType::decimal(38, 4),
        DataType::of(TypeId::kDate)
    };
    std::vector<ColumnBuilder> builders;
    for (const DataType& type : table.types) {
        builders.emplace_back(type);
    }
    std::mt19937_64 random(seed);
    for (uint32_t row = 0; row < num_rows; ++row) {
        builders[0].append<int64_t>(row / 3);
        for (size_t i = 1; i < builders.size(); ++i) {
            const uint64_t word = random();
            if (word % 11 == 0 && i != 4) {
                builders[i].append_null();
                continue;
            }
            switch (table.types[i].physical()) {
                case PhysicalType::kBool:
                    builders[i].append<uint8_t>(word & 1);
                    break;
                case PhysicalType::kInt8:
                    builders[i].append<int8_t>(static_cast<int8_t>(word >> 8));
                    break;
                case PhysicalType::kInt16:
                    builders[i].append<int16_t>(static_cast<int16_t>(word >> 8));
                    break;
                case PhysicalType::kInt32:
                    builders[i].append<int32_t>(
                        i == 4 ? static_cast<int32_t>(word >> 16)
                               : static_cast<int32_t>(10'000 + row / 100)
                    );
                    break;
                case PhysicalType::kInt128:
                    builders[i].append<int128_t>(
                        i == 5
                            ? static_cast<int128_t>(static_cast<unsigned __int128>(word) * random())
                            : static_cast<int128_t>(word % 100'000) - 50'000
                    );
                    break;
                case PhysicalType::kFloat:
                    builders[i].append<float>(static_cast<float>(word % 1000) / 8);
                    break;
                case PhysicalType::kDouble:
                    builders[i].append<double>(static_cast<double>(static_cast<int64_t>(word)));
                    break;
                default:
                    builders[i].append_string(
                        i == 8 ? fmt::format("word {}", word % 50)
                               : std::string(word % 200, static_cast<char>('a' + word % 26))
                    );
                    break;
            }
        }
    }
    for (ColumnBuilder& builder : builders) {
        table.columns.push_back(builder.finish());
    }
    return table;
}

TabletSchemaPtr schema_of(const Table& table, Compression compression) {
    TabletSchemaDefinition definition;
    for (size_t i = 0; i < table.types.size(); ++i) {
        definition.columns.push_back(
            {.unique_id = static_cast<int32_t>(i + 1),
             .name = fmt::format("c{}", i),
             .type = table.types[i],
             .is_key = i == 0}
        );
    }
    definition.num_short_key_columns = 1;
    definition.compression = compression;
    return TabletSchema::create(definition).take();
}

class SegmentTest : public testing::Test {
protected:
    SegmentTest() {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "segment_test_XXXXXX").string();
        directory_ = ::mkdtemp(pattern.data());
        path_ = directory_ + "/segment.dat";
    }

    ~SegmentTest() override { std::filesystem::remove_all(directory_); }

    void write(const Table& table, Compression compression = Compression::kLz4) {
        schema_ = schema_of(table, compression);
        auto writer = SegmentWriter::create(*fs_, path_, schema_, true).take();
        for (uint32_t row = 0; row < table.num_rows; row += 5000) {
            std::vector<ColumnPtr> part;
            for (const ColumnPtr& column : table.columns) {
                part.push_back(slice(column, row, std::min<uint32_t>(5000, table.num_rows - row)));
            }
            ASSERT_TRUE(writer->append(part).ok());
        }
        pb::SegmentMeta meta;
        const Status status = writer->finish(table.num_rows, true, meta);
        ASSERT_TRUE(status.ok()) << status.to_string();
        ASSERT_EQ(meta.size_bytes(), std::filesystem::file_size(path_));
    }

    Result<std::shared_ptr<const Segment>> open() { return Segment::open(*fs_, path_, &cache_); }

    std::shared_ptr<const SegmentScan> scan_of(std::vector<ColumnPredicate> predicates = {}) const {
        auto scan = std::make_shared<SegmentScan>();
        for (const SchemaColumn& column : schema_->columns()) {
            scan->output.push_back(
                {.unique_id = column.unique_id, .type = column.type, .missing_value = nullptr}
            );
        }
        for (ColumnPredicate& predicate : predicates) {
            scan->predicate_columns.push_back(
                scan->output[static_cast<size_t>(predicate.column_unique_id - 1)]
            );
            scan->predicates.push_back(std::move(predicate));
        }
        return scan;
    }

    const std::shared_ptr<const FileSystem> fs_ = local_file_system();
    PageCache cache_{64 << 20};
    std::string directory_;
    std::string path_;
    TabletSchemaPtr schema_;
};

/// The rows of a scan as text, in order.
Result<std::vector<std::string>> read_all(
    const std::shared_ptr<const SegmentScan>& scan,
    const std::shared_ptr<const Segment>& segment,
    RowRange rows
) {
    ASSIGN_OR_RETURN(auto iterator, SegmentIterator::open(scan, segment, rows));
    std::vector<std::string> result;
    Batch batch;
    for (;;) {
        ASSIGN_OR_RETURN(const bool more, iterator->next(batch));
        if (!more) {
            return result;
        }
        for (uint32_t i = 0; i < batch.num_selected(); ++i) {
            std::string text;
            for (const ColumnPtr& column : batch.columns) {
                text += Scalar::from_column(*column, batch.row_at(i)).to_string() + "|";
            }
            result.push_back(std::move(text));
        }
    }
}

std::vector<std::string> rows_of(const Table& table, RowRange rows) {
    std::vector<std::string> result;
    for (uint32_t row = rows.begin; row < rows.end; ++row) {
        std::string text;
        for (const ColumnPtr& column : table.columns) {
            text += Scalar::from_column(*column, row).to_string() + "|";
        }
        result.push_back(std::move(text));
    }
    return result;
}

TEST_F(SegmentTest, EveryTypeComesBackUnderEveryCompression) {
    for (const Compression compression :
         {Compression::kNone, Compression::kLz4, Compression::kZstd, Compression::kZlib}) {
        for (const uint32_t num_rows : {1U, 63U, 1024U, 40'000U}) {
            const Table table = make_table(num_rows, num_rows);
            write(table, compression);
            auto segment = open();
            ASSERT_TRUE(segment.ok()) << segment.status().to_string();
            const auto rows = read_all(scan_of(), *segment, {0, num_rows});
            ASSERT_TRUE(rows.ok()) << rows.status().to_string();
            ASSERT_EQ(*rows, rows_of(table, {0, num_rows})) << num_rows;
        }
    }
}

TEST_F(SegmentTest, AnyRowRangeCanBeRead) {
    const Table table = make_table(40'000, 5);
    write(table);
    const auto segment = open().take();
    for (const RowRange range :
         {RowRange{0, 1},
          RowRange{39'999, 40'000},
          RowRange{16'383, 16'385},
          RowRange{1'000, 33'333},
          RowRange{7, 7}}) {
        EXPECT_EQ(read_all(scan_of(), segment, range).take(), rows_of(table, range));
    }
}

ColumnPtr constants(const DataType& type, const std::vector<int64_t>& values) {
    std::vector<ColumnPtr> parts;
    for (const int64_t value : values) {
        switch (type.physical()) {
            case PhysicalType::kString:
                parts.push_back(Scalar::text(
                                    type,
                                    value % 2 == 0 ? fmt::format("word {}", value % 50)
                                                   : std::string(
                                                         static_cast<size_t>(value) % 200,
                                                         static_cast<char>('a' + value % 26)
                                                     )
                )
                                    .to_column());
                break;
            case PhysicalType::kFloat:
            case PhysicalType::kDouble:
                parts.push_back(Scalar::real(type, static_cast<double>(value)).to_column());
                break;
            default:
                parts.push_back(Scalar::integer(type, value % 100).to_column());
        }
    }
    return parts.size() == 1 ? parts[0] : concatenate(parts);
}

bool passes(const ColumnPredicate& predicate, const Column& column, uint32_t row) {
    const bool is_null = column.is_null(row);
    if (predicate.op == PredicateOp::kIsNull || is_null) {
        return is_null == (predicate.op == PredicateOp::kIsNull);
    }
    if (predicate.op == PredicateOp::kIsNotNull) {
        return true;
    }
    const Scalar value = Scalar::from_column(column, row);
    const int order = value.compare(Scalar::from_column(*predicate.values, 0));
    bool is_in = false;
    for (uint32_t i = 0; i < predicate.values->size(); ++i) {
        is_in |= value == Scalar::from_column(*predicate.values, i);
    }
    switch (predicate.op) {
        case PredicateOp::kEq:
            return order == 0;
        case PredicateOp::kNe:
            return order != 0;
        case PredicateOp::kLt:
            return order < 0;
        case PredicateOp::kLe:
            return order <= 0;
        case PredicateOp::kGt:
            return order > 0;
        case PredicateOp::kGe:
            return order >= 0;
        case PredicateOp::kIn:
            return is_in;
        case PredicateOp::kNotIn:
            return !is_in;
        default:
            return value.as_text().starts_with(Scalar::from_column(*predicate.values, 0).as_text());
    }
}

TEST_F(SegmentTest, RandomPredicatesKeepExactlyTheRowsThatPass) {
    const Table table = make_table(20'000, 6);
    write(table);
    const auto segment = open().take();
    const auto all = rows_of(table, {0, table.num_rows});
    std::mt19937 random(7);
    for (int round = 0; round < 80; ++round) {
        std::vector<ColumnPredicate> predicates;
        for (uint32_t i = 0; i <= random() % 3; ++i) {
            const auto position = static_cast<int32_t>(random() % table.types.size());
            const DataType type = table.types[static_cast<size_t>(position)];
            auto op = static_cast<PredicateOp>(random() % 11);
            if (op == PredicateOp::kPrefix && !type.is_string()) {
                op = PredicateOp::kGe;
            }
            const bool takes_many = op == PredicateOp::kIn || op == PredicateOp::kNotIn;
            std::vector<int64_t> values(takes_many ? 1 + random() % 9 : 1);
            for (int64_t& value : values) {
                value = position == 0 ? random() % 7'000 : random() % 300;
            }
            predicates.push_back(
                {.column_unique_id = position + 1, .op = op, .values = constants(type, values)}
            );
            if (position == 0) {
                predicates.back().values = Scalar::integer(type, values[0]).to_column();
            }
        }
        std::vector<std::string> expected;
        for (uint32_t row = 0; row < table.num_rows; ++row) {
            bool all_pass = true;
            for (const ColumnPredicate& predicate : predicates) {
                all_pass = all_pass &&
                           passes(
                               predicate,
                               *table.columns[static_cast<size_t>(predicate.column_unique_id - 1)],
                               row
                           );
            }
            if (all_pass) {
                expected.push_back(all[row]);
            }
        }
        const auto rows = read_all(scan_of(predicates), segment, {0, table.num_rows});
        ASSERT_TRUE(rows.ok()) << rows.status().to_string();
        ASSERT_EQ(rows->size(), expected.size())
            << "round " << round << ": " << to_string(predicates[0]);
        ASSERT_EQ(*rows, expected) << "round " << round;

        std::vector<int32_t> keys = segment->short_key_columns();
        const RowRange range = (*segment->short_key_index())->find_rows(keys, predicates);
        const auto pruned = read_all(scan_of(predicates), segment, range);
        ASSERT_EQ(*pruned, expected) << "short keys, round " << round;
    }
}

TEST_F(SegmentTest, FlippedBytesAreErrorsNeverWrongRows) {
    const Table table = make_table(1000, 8);
    write(table);
    const auto expected = rows_of(table, {0, table.num_rows});
    std::string original(std::filesystem::file_size(path_), '\0');
    ASSERT_TRUE(fs_->open(path_)
                    .take()
                    ->read(0, {reinterpret_cast<uint8_t*>(original.data()), original.size()})
                    .ok());
    std::mt19937 random(9);
    int num_errors = 0;
    for (int round = 0; round < 1000; ++round) {
        std::string damaged = original;
        const size_t position = round < 100 ? damaged.size() - 1 - static_cast<size_t>(round)
                                            : random() % damaged.size();
        damaged[position] = static_cast<char>(damaged[position] ^ (1 << (random() % 8)));
        if (round % 10 == 9) {
            damaged.resize(random() % damaged.size());
        }
        ASSERT_TRUE(write_file_atomically(*fs_, path_, damaged).ok());
        const auto segment = Segment::open(*fs_, path_, nullptr);
        if (!segment.ok()) {
            EXPECT_TRUE(segment.status().code() == ErrorCode::kCorruption)
                << segment.status().to_string();
            ++num_errors;
            continue;
        }
        const auto rows = read_all(scan_of(), *segment, {0, table.num_rows});
        const auto index = (*segment)->short_key_index();
        if (rows.ok() && index.ok()) {
            ASSERT_EQ(*rows, expected) << "position " << position;
        } else {
            const Status status = rows.ok() ? index.status() : rows.status();
            EXPECT_TRUE(status.code() == ErrorCode::kCorruption) << status.to_string();
            EXPECT_NE(status.message().find(path_), std::string_view::npos) << status.to_string();
            ++num_errors;
        }
    }
    EXPECT_EQ(num_errors, 1000);
}

}  // namespace
}  // namespace thetis
