// SPDX-License-Identifier: Apache-2.0
// Every page encoding and index in one segment: read with and without each feature, and with bytes
// flipped everywhere.
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <roaring/roaring.hh>

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/hash.h"
#include "column/builder.h"
#include "column/scalar.h"
#include "storage.pb.h"
#include "storage/segment/page_format.h"
#include "storage/segment/segment_iterator.h"
#include "storage/segment/segment_writer.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define THETIS_WITH_SANITIZER 1
#endif
#endif

namespace thetis {
namespace {

#ifdef THETIS_WITH_SANITIZER
constexpr int kFlips = 5000;
#else
constexpr int kFlips = 1500;
#endif

enum Id : int32_t {
    kKey,
    kRuns,
    kNumber,
    kWide,
    kPrice,
    kReal,
    kSmallReal,
    kWord,
    kText,
    kFlag,
    kNumColumns
};

DataType type_of(int32_t id) {
    switch (id) {
        case kKey:
            return DataType::of(TypeId::kBigint, false);
        case kRuns:
            return DataType::of(TypeId::kInt);
        case kNumber:
            return DataType::of(TypeId::kInt, false);
        case kWide:
            return DataType::of(TypeId::kLargeint);
        case kPrice:
        case kReal:
            return DataType::of(TypeId::kDouble, false);
        case kSmallReal:
            return DataType::of(TypeId::kFloat);
        case kFlag:
            return DataType::of(TypeId::kTinyint, false);
        default:
            return DataType::varchar(100);
    }
}

std::vector<ColumnPtr> make_columns(uint32_t num_rows) {
    std::mt19937_64 random(num_rows);
    std::vector<ColumnBuilder> builders;
    for (int32_t id = 0; id < kNumColumns; ++id) {
        builders.emplace_back(type_of(id));
    }
    int64_t key = 1'000'000'000'000;
    for (uint32_t row = 0; row < num_rows; ++row) {
        const uint64_t word = random();
        key += 1 + static_cast<int64_t>(word % 3);
        builders[kKey].append<int64_t>(key);
        builders[kRuns].append<int32_t>(static_cast<int32_t>(row / 300) * 1000);
        builders[kNumber].append<int32_t>(static_cast<int32_t>(word >> 40));
        builders[kPrice].append<double>(static_cast<double>(word % 1'000'000) / 100);
        builders[kReal].append<double>(static_cast<double>(word) * 1e-3 + 0.1);
        builders[kFlag].append<int8_t>(0);
        if (word % 13 == 0) {
            for (const int32_t id : {kWide, kSmallReal, kWord, kText}) {
                builders[static_cast<size_t>(id)].append_null();
            }
            continue;
        }
        builders[kWide].append<int128_t>(
            static_cast<int128_t>(static_cast<unsigned __int128>(word) * random())
        );
        builders[kSmallReal].append<float>(static_cast<float>(word % 977) / 7);
        builders[kWord].append_string(fmt::format("word number {}", word % 20));
        builders[kText].append_string(fmt::format("text {} of row {}", word % 1000, row));
    }
    std::vector<ColumnPtr> columns;
    for (ColumnBuilder& builder : builders) {
        columns.push_back(builder.finish());
    }
    return columns;
}

class SegmentFeaturesTest : public testing::Test {
protected:
    SegmentFeaturesTest() {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "segment_features_XXXXXX").string();
        directory_ = ::mkdtemp(pattern.data());
        path_ = directory_ + "/segment.dat";
    }

    ~SegmentFeaturesTest() override { std::filesystem::remove_all(directory_); }

    void write(uint32_t num_rows, Compression compression) {
        columns_ = make_columns(num_rows);
        TabletSchemaDefinition definition;
        for (int32_t id = 0; id < kNumColumns; ++id) {
            SchemaColumn column;
            column.unique_id = id;
            column.name = fmt::format("c{}", id);
            column.type = type_of(id);
            column.is_key = id == kKey;
            column.is_bloom_filter = id == kNumber || id == kText || id == kWord;
            definition.columns.push_back(std::move(column));
        }
        definition.num_short_key_columns = 1;
        definition.compression = compression;
        const auto schema = TabletSchema::create(std::move(definition)).take();
        auto writer = SegmentWriter::create(*local_file_system(), path_, schema, true).take();
        ASSERT_TRUE(writer->append(columns_).ok());
        pb::SegmentMeta meta;
        ASSERT_TRUE(writer->finish(num_rows, false, meta).ok());
    }

    static SegmentScan scan_of(std::vector<ColumnPredicate> predicates = {}) {
        SegmentScan scan;
        for (int32_t id = 0; id < kNumColumns; ++id) {
            scan.output.push_back({.unique_id = id, .type = type_of(id)});
        }
        for (ColumnPredicate& predicate : predicates) {
            scan.predicate_columns.push_back(
                scan.output[static_cast<size_t>(predicate.column_unique_id)]
            );
            scan.predicates.push_back(std::move(predicate));
        }
        return scan;
    }

    std::string directory_;
    std::string path_;
    std::vector<ColumnPtr> columns_;
};

/// Of all cells, row by row: it does not matter how rows are cut into batches.
uint64_t digest(const Batch& batch, uint64_t hash) {
    const Batch dense = batch.compact();
    std::vector<uint64_t> rows(dense.num_rows, 0);
    for (const ColumnPtr& column : dense.columns) {
        visit_physical(column->physical(), [&]<typename T>(T) {
            const ColumnView<T> view(*column);
            for (uint32_t row = 0; row < dense.num_rows; ++row) {
                uint64_t cell = 1;
                if (!view.is_valid(row)) {
                    cell = 2;
                } else if constexpr (std::is_same_v<T, StringRef>) {
                    cell = hash_bytes(view[row].data(), view[row].size());
                } else {
                    cell = hash_bytes(&view[row], sizeof(T));
                }
                rows[row] = hash_combine(rows[row], cell);
            }
        });
    }
    for (const uint64_t row : rows) {
        hash = hash_combine(hash, row);
    }
    return hash;
}

struct Answer {
    uint64_t hash = 0;
    int64_t num_rows = 0;
    ScanStatistics statistics{};

    bool operator==(const Answer& other) const {
        return hash == other.hash && num_rows == other.num_rows;
    }
};

Result<Answer> read(const SegmentScan& scan, SegmentSource source) {
    const uint32_t num_rows = source.segment->num_rows();
    ASSIGN_OR_RETURN(
        auto iterator,
        SegmentIterator::open(std::make_shared<SegmentScan>(scan), std::move(source), {0, num_rows})
    );
    Answer answer;
    Batch batch;
    for (;;) {
        ASSIGN_OR_RETURN(const bool more, iterator->next(batch));
        if (!more) {
            answer.statistics = iterator->statistics();
            return answer;
        }
        answer.hash = digest(batch, answer.hash);
        answer.num_rows += batch.num_selected();
    }
}

std::vector<ColumnPredicate> one_row(const std::vector<ColumnPtr>& columns, uint32_t row) {
    return {
        {.column_unique_id = kText,
         .op = PredicateOp::kEq,
         .values = Scalar::from_column(*columns[kText], row).to_column()}
    };
}

TEST_F(SegmentFeaturesTest, ResultsAreTheSameWithoutEachFeature) {
    write(60'000, Compression::kLz4);
    PageCache cache(64 << 20);
    const auto segment = Segment::open(*local_file_system(), path_, &cache).take();
    const auto text = [](const char* value) {
        return Scalar::text(DataType::varchar(100, false), value).to_column();
    };
    const auto integer = [](TypeId type, int64_t value) {
        return Scalar::integer(DataType::of(type, false), value).to_column();
    };
    uint32_t row_with_text = 40'000;
    while (columns_[kText]->is_null(row_with_text)) {
        ++row_with_text;
    }
    const std::vector<std::vector<ColumnPredicate>> cases = {
        {},
        one_row(columns_, row_with_text),
        {{.column_unique_id = kText, .op = PredicateOp::kEq, .values = text("text 5 not there")}},
        {{.column_unique_id = kWord, .op = PredicateOp::kEq, .values = text("word number 7")},
         {.column_unique_id = kFlag, .op = PredicateOp::kEq, .values = integer(TypeId::kTinyint, 0)}
        },
        {{.column_unique_id = kRuns, .op = PredicateOp::kGe, .values = integer(TypeId::kInt, 90'000)
         },
         {.column_unique_id = kWord, .op = PredicateOp::kNe, .values = text("word number 7")}},
        {{.column_unique_id = kNumber,
          .op = PredicateOp::kIn,
          .values = columns_[kNumber]->flatten(slice(columns_[kNumber], 59'990, 3))}}
    };
    Roaring deleted;
    deleted.addRange(10'000, 20'000);
    deleted.addRange(30'000, 30'003);
    const auto deleted_rows = std::make_shared<const Roaring>(deleted);
    ScanStatistics with_all;
    for (const auto& predicates : cases) {
        for (const bool has_deleted : {false, true}) {
            const SegmentSource source{
                .segment = segment, .deleted = has_deleted ? deleted_rows : nullptr
            };
            const Answer expected = read(scan_of(predicates), source).take();
            with_all.add(expected.statistics);
            for (bool SegmentScan::* feature :
                 {&SegmentScan::use_zone_maps,
                  &SegmentScan::use_bloom_filters,
                  &SegmentScan::use_dictionary_predicates,
                  &SegmentScan::use_late_materialization,
                  &SegmentScan::use_page_cache}) {
                SegmentScan scan = scan_of(predicates);
                scan.*feature = false;
                const Answer answer = read(scan, source).take();
                EXPECT_EQ(answer, expected);
                const ScanStatistics& seen = answer.statistics;
                if (feature == &SegmentScan::use_zone_maps) {
                    EXPECT_EQ(seen.rows_pruned_zone_map + seen.rows_proven, 0);
                } else if (feature == &SegmentScan::use_bloom_filters) {
                    EXPECT_EQ(seen.rows_pruned_bloom_filter, 0);
                } else if (feature == &SegmentScan::use_dictionary_predicates) {
                    EXPECT_EQ(seen.rows_by_dictionary, 0);
                } else if (feature == &SegmentScan::use_late_materialization) {
                    EXPECT_EQ(seen.rows_read_late, 0);
                } else {
                    EXPECT_EQ(seen.pages_from_disk, seen.pages_read);
                }
            }
            EXPECT_EQ(
                expected.statistics.rows_in_range,
                expected.statistics.rows_pruned_zone_map +
                    expected.statistics.rows_pruned_bloom_filter +
                    expected.statistics.rows_deleted + expected.statistics.rows_filtered +
                    expected.num_rows
            );
        }
    }
    EXPECT_GT(with_all.rows_pruned_zone_map, 0);
    EXPECT_GT(with_all.rows_pruned_bloom_filter, 0);
    EXPECT_GT(with_all.rows_proven, 0);
    EXPECT_GT(with_all.rows_by_dictionary, 0);
    EXPECT_GT(with_all.rows_read_late, 0);
    EXPECT_GT(with_all.rows_deleted, 0);
    EXPECT_LT(with_all.pages_from_disk, with_all.pages_read);
}

TEST_F(SegmentFeaturesTest, EncodingsFollowWhatPagesShow) {
    write(20'000, Compression::kNone);
    std::map<int32_t, uint8_t> encodings;
    const auto segment = Segment::open(*local_file_system(), path_, nullptr).take();
    const auto file = local_file_system()->open(path_).take();
    for (int32_t id = 0; id < kNumColumns; ++id) {
        const auto pages = segment->column(id).take();
        PageHeader header;
        ASSERT_TRUE(read_page_bytes(
                        *file, pages->offsets[0], pages->sizes[0], PageKind::kData, id, 0, header
        )
                        .ok());
        encodings[id] = header.encoding;
    }
    const auto expect = [&](int32_t id, EncodingId encoding) {
        EXPECT_EQ(encodings[id], static_cast<uint8_t>(encoding)) << id;
    };
    // And what was written is read.
    Batch written_rows;
    written_rows.num_rows = segment->num_rows();
    written_rows.columns = columns_;
    const uint64_t written = digest(written_rows, 0);
    EXPECT_EQ(read(scan_of(), {.segment = segment}).take().hash, written);
    expect(kKey, EncodingId::kDelta);
    expect(kRuns, EncodingId::kRunLength);
    expect(kNumber, EncodingId::kFrame);
    expect(kPrice, EncodingId::kDecimalFloat);
    expect(kText, EncodingId::kPlainString);
    EXPECT_TRUE(segment->column(kWord).take()->dictionary != nullptr);
}

TEST_F(SegmentFeaturesTest, FlippedBytesAreErrorsOrHarmlessNeverWrongRows) {
    int num_errors = 0;
    for (const Compression compression : {Compression::kNone, Compression::kLz4}) {
        write(1500, compression);
        uint32_t row = 700;
        while (columns_[kText]->is_null(row)) {
            ++row;
        }
        const auto answers = [&]() -> Result<std::vector<Answer>> {
            ASSIGN_OR_RETURN(
                const auto segment, Segment::open(*local_file_system(), path_, nullptr)
            );
            std::vector<Answer> result;
            ASSIGN_OR_RETURN(Answer all, read(scan_of(), {.segment = segment}));
            ASSIGN_OR_RETURN(
                Answer one, read(scan_of(one_row(columns_, row)), {.segment = segment})
            );
            ASSIGN_OR_RETURN(const auto index, segment->short_key_index());
            const RowRange range = index->find_rows(
                segment->short_key_columns(),
                std::vector<ColumnPredicate>{
                    {.column_unique_id = kKey,
                     .op = PredicateOp::kGe,
                     .values = Scalar::from_column(*columns_[kKey], 1400).to_column()}
                }
            );
            result = {all, one, {.hash = range.begin, .num_rows = range.end}};
            return result;
        };
        const auto expected = answers();
        ASSERT_TRUE(expected.ok()) << expected.status().to_string();
        ASSERT_EQ((*expected)[1].num_rows, 1);
        std::ifstream input(path_, std::ios::binary);
        const std::string original(std::istreambuf_iterator<char>(input), {});
        std::mt19937 random(static_cast<uint32_t>(compression) + 5);
        for (int round = 0; round < kFlips / 2; ++round) {
            std::string damaged = original;
            // The head, the footer and its neighbours more often than their share.
            const size_t position =
                round % 8 == 0 ? damaged.size() - 1 - random() % 3000
                               : (round % 64 == 1 ? random() % 64 : random() % damaged.size());
            damaged[position] = static_cast<char>(damaged[position] ^ (1 + random() % 255));
            std::ofstream(path_, std::ios::binary | std::ios::trunc) << damaged;
            const auto seen = answers();
            if (seen.ok()) {
                ASSERT_EQ(*seen, *expected) << "position " << position;
                continue;
            }
            ++num_errors;
            EXPECT_EQ(seen.status().code(), ErrorCode::kCorruption) << seen.status().to_string();
            EXPECT_NE(seen.status().message().find(path_), std::string_view::npos)
                << seen.status().to_string();
        }
    }
    // Nearly every byte is under a checksum that these reads look at.
    EXPECT_GT(num_errors, kFlips * 95 / 100);
}

}  // namespace
}  // namespace thetis
