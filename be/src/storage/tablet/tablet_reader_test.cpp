// SPDX-License-Identifier: Apache-2.0
#include "storage/tablet/tablet_reader.h"

#include "column/scalar.h"
#include "storage/testing/storage_fixture.h"

namespace thetis {
namespace {

ColumnPtr bigint(int64_t value) {
    return Scalar::integer(DataType::of(TypeId::kBigint, false), value).to_column();
}

ColumnPtr text(const std::string& value) {
    return Scalar::text(DataType::varchar(100, false), value).to_column();
}

class TabletReaderTest : public StorageFixture {
protected:
    void SetUp() override {
        open_engine();
        create_tablet(1);
    }
};

TEST_F(TabletReaderTest, ZoneMapsAndShortKeysPruneWithoutChangingTheAnswer) {
    load(1, 100, 2, make_rows(0, 200'000));
    load(1, 101, 3, make_rows(200'000, 50'000));
    const std::vector<ColumnPredicate> predicates{
        {.column_unique_id = 0, .op = PredicateOp::kGe, .values = bigint(100'000)},
        {.column_unique_id = 0, .op = PredicateOp::kLt, .values = bigint(100'500)}
    };
    for (const bool use_zone_maps : {false, true}) {
        for (const bool use_short_key : {false, true}) {
            ScanStatistics statistics;
            ReadOptions options{
                .predicates = predicates,
                .use_zone_maps = use_zone_maps,
                .use_short_key = use_short_key
            };
            EXPECT_EQ(scan_keys(1, 3, options, &statistics), numbers(100'000, 500));
            EXPECT_EQ(statistics.rows_in_range, 250'000);
            EXPECT_EQ(statistics.rows_output, 500);
            EXPECT_EQ(statistics.segments_pruned, use_zone_maps ? 1 : 0);
            EXPECT_EQ(statistics.rows_pruned_short_key > 190'000, use_short_key);
            EXPECT_EQ(statistics.rows_pruned_zone_map > 0, use_zone_maps);
            EXPECT_EQ(
                statistics.rows_in_range,
                statistics.rows_pruned_short_key + statistics.rows_pruned_zone_map +
                    statistics.rows_filtered + statistics.rows_output
            );
        }
    }
}

TEST_F(TabletReaderTest, DictionaryPagesComeOutAsDictionaryColumns) {
    load(1, 100, 2, make_rows(0, 20'000));
    const auto reader = engine().open_reader(1, 2, {.column_unique_ids = {1}}).take();
    auto rows = reader->read(reader->splits()[0]).take();
    Batch batch;
    ASSERT_TRUE(rows->next(batch).take());
    ASSERT_EQ(batch.columns[0]->form(), ColumnForm::kDictionary);
    EXPECT_EQ(batch.columns[0]->base()->size(), 100U);
    const ColumnPtr first = batch.columns[0]->base();
    ASSERT_TRUE(rows->next(batch).take());
    EXPECT_EQ(batch.columns[0]->base(), first);
}

TEST_F(TabletReaderTest, SparseResultsAreDenseAndFrequentOnesSelected) {
    load(1, 100, 2, make_rows(0, 4096));
    const auto read_first = [&](const ColumnPredicate& predicate) {
        const auto reader =
            engine().open_reader(
                        1, 2, {.column_unique_ids = {0, 1, 2}, .predicates = {predicate}}
            ).take();
        Batch batch;
        EXPECT_TRUE(reader->read(reader->splits()[0]).take()->next(batch).take());
        return batch;
    };
    const Batch sparse =
        read_first({.column_unique_id = 1, .op = PredicateOp::kEq, .values = text("value number 5")}
        );
    EXPECT_EQ(sparse.selection, nullptr);
    EXPECT_LE(sparse.num_rows, 41U);
    for (uint32_t row = 0; row < sparse.num_rows; ++row) {
        const int64_t key = ColumnView<int64_t>(*sparse.columns[0])[row];
        EXPECT_EQ(key % 100, 5);
        EXPECT_EQ(ColumnView<StringRef>(*sparse.columns[1])[row].view(), "value number 5");
        EXPECT_EQ(ColumnView<double>(*sparse.columns[2])[row], static_cast<double>(key) / 4);
    }
    const Batch frequent =
        read_first({.column_unique_id = 1, .op = PredicateOp::kNe, .values = text("value number 5")}
        );
    ASSERT_NE(frequent.selection, nullptr);
    EXPECT_EQ(frequent.num_rows, 4096U);
}

TEST_F(TabletReaderTest, RuntimePredicatesApplyFromTheNextBatchOn) {
    load(1, 100, 2, make_rows(0, 100'000));
    auto runtime = std::make_shared<RuntimePredicates>();
    const auto reader =
        engine()
            .open_reader(1, 2, {.column_unique_ids = {0}, .runtime_predicates = runtime})
            .take();
    auto rows = reader->read(reader->splits()[0]).take();
    Batch batch;
    ASSERT_TRUE(rows->next(batch).take());
    EXPECT_EQ(batch.num_selected(), 4096U);
    runtime->add(
        {.column_unique_id = 3,
         .op = PredicateOp::kEq,
         .values = Scalar::integer(DataType::of(TypeId::kInt), 7).to_column()}
    );
    runtime->add({.column_unique_id = 99, .op = PredicateOp::kIsNull}
    );  // Of a column that is not there: no effect.
    int64_t num_rows = 0;
    while (rows->next(batch).take()) {
        num_rows += batch.num_selected();
        for (uint32_t i = 0; i < batch.num_selected(); ++i) {
            EXPECT_EQ(ColumnView<int64_t>(*batch.columns[0])[batch.row_at(i)] % 1000, 7);
        }
    }
    EXPECT_EQ(num_rows, 95);
}

TEST_F(TabletReaderTest, ColumnsAddedLaterHoldTheirDefault) {
    load(1, 100, 2, make_rows(0, 1000));
    TabletSchemaDefinition wider = definition();
    const DataType city = DataType::varchar(20);
    const DataType number = DataType::of(TypeId::kInt, false);
    wider.columns.push_back(
        {.unique_id = 7,
         .name = "city",
         .type = city,
         .default_value = Scalar::text(city, "Rome").to_column()}
    );
    wider.columns.push_back({.unique_id = 8, .name = "nothing", .type = city});
    wider.columns.push_back({.unique_id = 9, .name = "number", .type = number});
    wider.columns.erase(wider.columns.begin() + 2);  // d was dropped.
    wider.schema_version = 1;
    const auto schema = TabletSchema::create(wider).take();
    const auto scan = [&](std::vector<ColumnPredicate> predicates) {
        return scan_keys(1, 2, {.schema = schema, .predicates = std::move(predicates)});
    };
    const auto reader =
        engine().open_reader(1, 2, {.column_unique_ids = {7, 8, 9}, .schema = schema}).take();
    Batch batch;
    ASSERT_TRUE(reader->read(reader->splits()[0]).take()->next(batch).take());
    EXPECT_EQ(batch.num_rows, 1000U);
    EXPECT_EQ(ColumnView<StringRef>(*batch.columns[0])[999].view(), "Rome");
    EXPECT_TRUE(batch.columns[1]->is_null(5));
    EXPECT_FALSE(batch.columns[2]->is_null(5));
    EXPECT_EQ(ColumnView<int32_t>(*batch.columns[2])[5], 0);
    EXPECT_EQ(
        scan({{.column_unique_id = 7, .op = PredicateOp::kEq, .values = text("Rome")}}),
        numbers(0, 1000)
    );
    EXPECT_TRUE(scan({{.column_unique_id = 7, .op = PredicateOp::kEq, .values = text("Paris")}}
    ).empty());
    EXPECT_EQ(scan({{.column_unique_id = 8, .op = PredicateOp::kIsNull}}), numbers(0, 1000));
    EXPECT_EQ(
        engine().open_reader(1, 2, {.column_unique_ids = {2}, .schema = schema}).status().code(),
        ErrorCode::kNotFound
    );
}

TEST_F(TabletReaderTest, ManyThreadsShareOneReader) {
    for (int i = 0; i < 4; ++i) {
        load(1, 100 + i, 2 + i, make_rows(i * 100'000, 100'000));
    }
    const auto reader =
        engine()
            .open_reader(
                1,
                5,
                {.column_unique_ids = {0},
                 .predicates =
                     {{.column_unique_id = 3,
                       .op = PredicateOp::kLt,
                       .values = Scalar::integer(DataType::of(TypeId::kInt), 500).to_column()}},
                 .split_rows = 8192}
            )
            .take();
    EXPECT_EQ(reader->num_rows(), 400'000);
    std::atomic<size_t> next{0};
    std::atomic<int64_t> num_rows{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            for (size_t split = next++; split < reader->splits().size(); split = next++) {
                auto rows = reader->read(reader->splits()[split]).take();
                Batch batch;
                while (rows->next(batch).take()) {
                    num_rows += batch.num_selected();
                }
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(num_rows, 200'000);
}

TEST_F(TabletReaderTest, WithoutColumnsBatchesOnlyCount) {
    load(1, 100, 2, make_rows(0, 10'000));
    for (const bool is_filtered : {false, true}) {
        ReadOptions options;
        if (is_filtered) {
            options.predicates.push_back(
                {.column_unique_id = 0, .op = PredicateOp::kLt, .values = bigint(5'500)}
            );
        }
        const auto reader = engine().open_reader(1, 2, options).take();
        int64_t num_rows = 0;
        for (const ScanSplit& split : reader->splits()) {
            auto rows = reader->read(split).take();
            Batch batch;
            while (rows->next(batch).take()) {
                EXPECT_TRUE(batch.columns.empty());
                num_rows += batch.num_selected();
            }
        }
        EXPECT_EQ(num_rows, is_filtered ? 5'500 : 10'000);
    }
}

TEST_F(TabletReaderTest, PredicatesOfAWrongTypeAreRefused) {
    load(1, 100, 2, make_rows(0, 10));
    const auto status = [&](ColumnPredicate predicate) {
        return engine().open_reader(1, 2, {.predicates = {std::move(predicate)}}).status().code();
    };
    EXPECT_EQ(
        status({.column_unique_id = 0, .op = PredicateOp::kEq, .values = text("a")}),
        ErrorCode::kInvalidArgument
    );
    EXPECT_EQ(
        status({.column_unique_id = 0, .op = PredicateOp::kPrefix, .values = bigint(1)}),
        ErrorCode::kInvalidArgument
    );
    EXPECT_EQ(status({.column_unique_id = 0, .op = PredicateOp::kEq}), ErrorCode::kInvalidArgument);
    EXPECT_EQ(status({.column_unique_id = 42, .op = PredicateOp::kIsNull}), ErrorCode::kNotFound);
}

TEST_F(TabletReaderTest, StringColumnsChangeFromDictionaryToPlain) {
    ColumnBuilder keys(DataType::of(TypeId::kBigint, false));
    ColumnBuilder strings(DataType::varchar(100));
    constexpr int64_t kRows = 60'000;
    const auto value_of = [](int64_t key) {
        return key < 20'000   ? std::string()
               : key < 30'000 ? fmt::format("few {}", key % 10)
                              : fmt::format("a long and unlike value {}", key * 7919);
    };
    for (int64_t key = 0; key < kRows; ++key) {
        keys.append<int64_t>(key);
        if (key < 17'000) {
            strings.append_null();
        } else {
            strings.append_string(value_of(key));
        }
    }
    Batch rows;
    rows.num_rows = kRows;
    rows.columns = {
        keys.finish(),
        strings.finish(),
        Column::all_null(DataType::of(TypeId::kDouble), kRows),
        Column::all_null(DataType::of(TypeId::kInt), kRows)
    };
    rows.columns[2] = rows.columns[2]->flatten(rows.columns[2]);
    rows.columns[3] = rows.columns[3]->flatten(rows.columns[3]);
    load(1, 100, 2, rows);
    const auto reader = engine().open_reader(1, 2, {.column_unique_ids = {0, 1, 2}}).take();
    int64_t num_rows = 0;
    for (const ScanSplit& split : reader->splits()) {
        auto part = reader->read(split).take();
        Batch batch;
        while (part->next(batch).take()) {
            for (uint32_t row = 0; row < batch.num_rows; ++row) {
                const int64_t key = ColumnView<int64_t>(*batch.columns[0])[row];
                ASSERT_EQ(batch.columns[1]->is_null(row), key < 17'000);
                ASSERT_TRUE(batch.columns[2]->is_null(row));
                if (key >= 17'000) {
                    ASSERT_EQ(ColumnView<StringRef>(*batch.columns[1])[row].view(), value_of(key));
                }
                ++num_rows;
            }
        }
    }
    EXPECT_EQ(num_rows, kRows);
}

}  // namespace
}  // namespace thetis
