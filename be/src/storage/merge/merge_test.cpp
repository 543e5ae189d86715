// SPDX-License-Identifier: Apache-2.0
// Random rowsets of AGGREGATE and merge-on-read UNIQUE tablets, read in every way, against a plain
// definition of what the models mean.
#include <filesystem>
#include <map>
#include <random>
#include <roaring/roaring.hh>

#include <gtest/gtest.h>
#include <unistd.h>

#include "column/builder.h"
#include "column/scalar.h"
#include "storage.pb.h"
#include "storage/merge/merge_reader.h"
#include "storage/segment/segment_writer.h"
#include "storage/tablet/tablet.h"
#include "storage/tablet/tablet_reader.h"

namespace thetis {
namespace {

using Text = std::optional<std::string>;
using Number = std::optional<int64_t>;

struct Row {
    int32_t a = 0;
    Text b{};
    Number sum{};
    Text text{};
    Number sequence{};
    int64_t version = 0;  // Of its rowset: not stored.

    std::pair<int32_t, Text> key() const { return {a, b}; }
};

constexpr int32_t kA = 10;
constexpr int32_t kB = 11;
constexpr int32_t kSum = 12;
constexpr int32_t kText = 13;
constexpr int32_t kSequence = 14;
constexpr int32_t kVersion = 15;

TabletSchemaPtr make_schema(KeysModel model, bool has_sequence) {
    const bool is_unique = model == KeysModel::kUnique;
    TabletSchemaDefinition definition;
    definition.keys_model = model;
    definition.num_short_key_columns = 2;
    definition.columns = {
        {.unique_id = kA, .name = "a", .type = DataType::of(TypeId::kInt, false), .is_key = true},
        {.unique_id = kB, .name = "b", .type = DataType::varchar(40), .is_key = true},
        {.unique_id = kSum,
         .name = "total",
         .type = DataType::of(TypeId::kBigint),
         .aggregation = is_unique ? "" : "SUM"},
        {.unique_id = kText,
         .name = "text",
         .type = DataType::varchar(40),
         .aggregation = is_unique ? "" : "REPLACE_IF_NOT_NULL"},
        {.unique_id = kSequence,
         .name = "sequence",
         .type = DataType::of(TypeId::kBigint),
         .aggregation = is_unique ? "" : "MAX"}
    };
    if (is_unique) {
        definition.columns.push_back(
            {.unique_id = kVersion,
             .name = "version",
             .type = DataType::of(TypeId::kBigint, false),
             .is_hidden = true}
        );
        definition.version_id = kVersion;
        if (has_sequence) {
            definition.sequence_id = kSequence;
        }
    }
    return TabletSchema::create(std::move(definition)).take();
}

template <typename T>
void append(ColumnBuilder& builder, const std::optional<T>& value) {
    if (!value.has_value()) {
        builder.append_null();
    } else if constexpr (std::is_same_v<T, std::string>) {
        builder.append_string(*value);
    } else {
        builder.append<int64_t>(*value);
    }
}

std::vector<ColumnPtr> to_columns(const TabletSchema& schema, const std::vector<Row>& rows) {
    std::vector<ColumnBuilder> builders;
    for (const SchemaColumn& column : schema.columns()) {
        builders.emplace_back(column.type);
    }
    for (const Row& row : rows) {
        builders[0].append<int32_t>(row.a);
        append(builders[1], row.b);
        append(builders[2], row.sum);
        append(builders[3], row.text);
        append(builders[4], row.sequence);
        if (builders.size() > 5) {
            builders[5].append<int64_t>(-1);  // Never seen: the rowset's version stands for it.
        }
    }
    std::vector<ColumnPtr> columns;
    for (ColumnBuilder& builder : builders) {
        columns.push_back(builder.finish());
    }
    return columns;
}

/// What the model makes of rows with one key, in the order they were written.
Row join(const std::vector<Row>& rows, KeysModel model, bool has_sequence) {
    Row result = rows.front();
    for (size_t i = 1; i < rows.size(); ++i) {
        const Row& row = rows[i];
        if (model == KeysModel::kUnique) {
            if (!has_sequence || row.sequence >= result.sequence) {
                result = row;
            }
            continue;
        }
        if (row.sum.has_value()) {
            result.sum = result.sum.value_or(0) + *row.sum;
        }
        result.text = row.text.has_value() ? row.text : result.text;
        result.sequence = std::max(result.sequence, row.sequence);
    }
    return result;
}

std::string print(const Row& row, bool with_version) {
    const auto number = [](const Number& value) {
        return value.has_value() ? std::to_string(*value) : "NULL";
    };
    return fmt::format(
        "{}|{}|{}|{}|{}|{}",
        row.a,
        row.b.value_or("NULL"),
        number(row.sum),
        row.text.value_or("NULL"),
        number(row.sequence),
        with_version ? row.version : 0
    );
}

class MergeTest : public testing::TestWithParam<int> {
protected:
    MergeTest()
        : directory_((std::filesystem::temp_directory_path() /
                      fmt::format("merge_test_{}", getpid()))
                         .string()) {
        std::filesystem::remove_all(directory_);
        std::filesystem::create_directories(directory_);
    }

    ~MergeTest() override { std::filesystem::remove_all(directory_); }

    /// Every segment is sorted and holds each key once, as the models' writers leave it.
    RowsetPtr write_rowset(
        const TabletSchemaPtr& schema,
        int64_t version,
        const std::vector<std::vector<Row>>& segments
    ) {
        RowsetMeta meta;
        meta.rowset_id = fmt::format("{:048x}", version);
        meta.is_visible = true;
        meta.start_version = meta.end_version = version;
        for (const std::vector<Row>& rows : segments) {
            const auto id = static_cast<uint32_t>(meta.segments.size() * 2);
            auto writer = SegmentWriter::create(
                              *local_file_system(),
                              directory_ + "/" + segment_file_name(meta.rowset_id, id),
                              schema,
                              true
            )
                              .take();
            EXPECT_TRUE(writer->append(to_columns(*schema, rows)).ok());
            pb::SegmentMeta file;
            EXPECT_TRUE(writer->finish(rows.size(), false, file).ok());
            meta.segments.push_back(
                {.id = id, .num_rows = rows.size(), .size_bytes = file.size_bytes()}
            );
            meta.num_rows += static_cast<int64_t>(rows.size());
        }
        return std::make_shared<Rowset>(std::move(meta), directory_, local_file_system(), nullptr);
    }

    std::vector<std::string> read(
        const std::shared_ptr<Tablet>& tablet,
        int64_t version,
        ReadOptions options,
        bool with_version,
        ScanStatistics* statistics = nullptr
    ) {
        options.column_unique_ids = {kA, kB, kSum, kText, kSequence};
        if (with_version) {
            options.column_unique_ids.push_back(kVersion);
        }
        const auto reader = TabletReader::open(tablet, version, std::move(options)).take();
        std::vector<std::string> lines;
        for (const ScanSplit& split : reader->splits()) {
            auto rows = reader->read(split).take();
            Batch batch;
            for (;;) {
                auto more = rows->next(batch);
                EXPECT_TRUE(more.ok()) << more.status().to_string();
                if (!more.ok() || !*more) {
                    break;
                }
                EXPECT_LE(batch.num_rows, kMaxBatchRows);
                const Batch dense = batch.compact();
                for (uint32_t i = 0; i < dense.num_rows; ++i) {
                    lines.push_back(line(dense, i));
                }
            }
            if (statistics != nullptr) {
                statistics->add(rows->statistics());
            }
        }
        std::sort(lines.begin(), lines.end());
        return lines;
    }

    static std::string line(const Batch& batch, uint32_t row) {
        Row value;
        const auto number = [&](size_t i) {
            const ColumnView<int64_t> view(*batch.columns[i]);
            return view.is_valid(row) ? Number(view[row]) : Number();
        };
        const auto text = [&](size_t i) {
            const ColumnView<StringRef> view(*batch.columns[i]);
            return view.is_valid(row) ? Text(std::string(view[row].view())) : Text();
        };
        value.a = ColumnView<int32_t>(*batch.columns[0])[row];
        value.b = text(1);
        value.sum = number(2);
        value.text = text(3);
        value.sequence = number(4);
        value.version = batch.columns.size() > 5 ? *number(5) : 0;
        return print(value, true);
    }

    const std::string directory_;
};

struct History {
    std::vector<RowsetPtr> rowsets;
    std::map<std::pair<int32_t, Text>, std::vector<Row>> rows;  // In the order of writing.
    size_t num_rows = 0;
};

Row random_row(std::mt19937& random, int32_t num_keys) {
    Row row;
    row.a = static_cast<int32_t>(random() % static_cast<uint32_t>(num_keys)) - num_keys / 2;
    if (random() % 5 != 0) {
        row.b = std::string(random() % 3, '\0') + fmt::format("a long key {}", random() % 4);
    }
    row.sum = random() % 4 == 0 ? Number() : Number(static_cast<int64_t>(random() % 1000) - 500);
    row.text = random() % 3 == 0 ? Text() : Text(fmt::format("a text of row {}", random() % 50));
    row.sequence = random() % 6 == 0 ? Number() : Number(static_cast<int64_t>(random() % 10));
    return row;
}

TEST_P(MergeTest, ReadsWhatTheModelSays) {
    std::mt19937 random(static_cast<uint32_t>(GetParam()));
    for (const KeysModel model : {KeysModel::kAggregate, KeysModel::kUnique}) {
        const bool is_unique = model == KeysModel::kUnique;
        const bool has_sequence = is_unique && random() % 2 == 0;
        const TabletSchemaPtr schema = make_schema(model, has_sequence);
        History history;
        auto tablet =
            std::make_shared<Tablet>(TabletMeta{.tablet_id = 1, .schema = schema}, directory_);
        const int32_t num_keys = 1 << (3 + random() % 12);
        const int64_t num_versions = 1 + random() % 12;
        for (int64_t version = 0; version < num_versions; ++version) {
            std::vector<std::vector<Row>> segments(random() % 4);
            for (auto& segment : segments) {
                std::map<std::pair<int32_t, Text>, Row> rows;
                const uint32_t count = 1 + random() % (version == 0 ? 9000 : 600);
                for (uint32_t i = 0; i < count; ++i) {
                    Row row = random_row(random, num_keys);
                    row.version = version;
                    rows[row.key()] = row;
                }
                for (const auto& [key, row] : rows) {
                    segment.push_back(row);
                    history.rows[key].push_back(row);
                    ++history.num_rows;
                }
            }
            tablet->add_visible(write_rowset(schema, version, segments));
        }

        // Predicates on a key column and on a value.
        const auto int_value = [](TypeId type, int64_t value) {
            return Scalar::integer(DataType::of(type, false), value).to_column();
        };
        const int32_t bound = num_keys / 8;
        const std::vector<ColumnPredicate> key_predicate{
            {.column_unique_id = kA,
             .op = PredicateOp::kGe,
             .values = int_value(TypeId::kInt, bound)}
        };
        const std::vector<ColumnPredicate> value_predicate{
            {.column_unique_id = kSum,
             .op = PredicateOp::kLt,
             .values = int_value(TypeId::kBigint, 0)},
            {.column_unique_id = kText, .op = PredicateOp::kIsNotNull}
        };
        std::vector<std::string> all;
        std::vector<std::string> by_key;
        std::vector<std::string> by_value;
        for (const auto& [key, rows] : history.rows) {
            const Row row = join(rows, model, has_sequence);
            const std::string text = print(row, is_unique);
            all.push_back(text);
            if (row.a >= bound) {
                by_key.push_back(text);
            }
            if (row.sum.value_or(0) < 0 && row.text.has_value()) {
                by_value.push_back(text);
            }
        }
        std::sort(all.begin(), all.end());
        std::sort(by_key.begin(), by_key.end());
        std::sort(by_value.begin(), by_value.end());
        const int64_t last = num_versions - 1;
        for (const uint32_t split_rows : {4096U, 128U * 1024}) {
            ReadOptions options;
            options.split_rows = split_rows;
            options.batch_rows = random() % 2 == 0 ? kMaxBatchRows : 7;
            options.use_zone_maps = random() % 2 == 0;
            options.use_short_key = random() % 2 == 0;
            options.use_late_materialization = random() % 2 == 0;
            EXPECT_EQ(read(tablet, last, options, is_unique), all);
            options.predicates = key_predicate;
            EXPECT_EQ(read(tablet, last, options, is_unique), by_key);
            options.predicates = value_predicate;
            EXPECT_EQ(read(tablet, last, options, is_unique), by_value);
            options.predicates.clear();
            options.skip_merge = true;
            EXPECT_EQ(read(tablet, last, options, is_unique).size(), history.num_rows);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, MergeTest, testing::Range(1, 25));

TEST_F(MergeTest, CountsRowsOnlyWhereNothingIsMerged) {
    const TabletSchemaPtr schema = make_schema(KeysModel::kAggregate, false);
    auto tablet =
        std::make_shared<Tablet>(TabletMeta{.tablet_id = 1, .schema = schema}, directory_);
    tablet->add_visible(write_rowset(schema, 0, {{Row{.a = 1}, Row{.a = 2}}}));
    EXPECT_EQ(TabletReader::open(tablet, 0, {}).take()->num_rows(), 2);
    tablet->add_visible(write_rowset(schema, 1, {{Row{.a = 2}}}));
    EXPECT_EQ(TabletReader::open(tablet, 1, {}).take()->num_rows(), std::nullopt);
    EXPECT_EQ(TabletReader::open(tablet, 1, {.skip_merge = true}).take()->num_rows(), 3);
}

TEST_F(MergeTest, OrderOfCompactionNamesEverySource) {
    const TabletSchemaPtr schema = make_schema(KeysModel::kUnique, false);
    std::vector<std::vector<Row>> segments(3);
    for (int32_t i = 0; i < 30'000; ++i) {
        segments[static_cast<size_t>(i) % 3].push_back(Row{.a = i, .sum = i});
    }
    const RowsetPtr rowset = write_rowset(schema, 0, segments);
    std::vector<MergeRun> runs;
    for (const auto& segment : rowset->segments().take()) {
        runs.push_back({{.segment = segment}, {0, segment->num_rows()}});
    }
    // Row 5 of each segment is deleted.
    Roaring deleted;
    deleted.add(5);
    for (MergeRun& run : runs) {
        run.source.deleted = std::make_shared<const Roaring>(deleted);
    }
    auto merger = RowMerger::open(*schema, SegmentScan{}, runs, MergeKind::kAll).take();
    MergedColumns columns(SegmentScan{}, runs);
    const size_t sum =
        columns.add({.unique_id = kSum, .type = schema->columns()[2].type}, std::string_view())
            .take();
    MergedRows rows;
    int64_t expected = 0;
    while (merger->next(5000, rows).take()) {
        columns.start(rows);
        const ColumnPtr values = columns.read(sum, 0, rows.size()).take();
        const ColumnView<int64_t> view(*values);
        for (uint32_t i = 0; i < rows.size(); ++i, ++expected) {
            expected += expected == 15 ? 3 : 0;
            ASSERT_EQ(view[i], expected);
            ASSERT_EQ(rows.runs[i], expected % 3);
            ASSERT_EQ(rows.rows[i], expected / 3);
        }
    }
    EXPECT_EQ(expected, 30'000);
}

}  // namespace
}  // namespace thetis
