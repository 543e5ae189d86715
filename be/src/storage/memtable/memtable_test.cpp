// SPDX-License-Identifier: Apache-2.0
#include "storage/memtable/memtable.h"

#include <numeric>

#include <gtest/gtest.h>

#include "column/testing/columns.h"
#include "storage/memtable/group_aggregate.h"

namespace thetis {
namespace {

using testing::ints;
using testing::null;

SchemaColumn column_of(int32_t id, DataType type, bool is_key, std::string aggregation = {}) {
    SchemaColumn column;
    column.unique_id = id;
    column.name = fmt::format("c{}", id);
    column.type = type;
    column.is_key = is_key;
    column.aggregation = std::move(aggregation);
    return column;
}

Status append(Memtable& memtable, const std::vector<ColumnPtr>& columns) {
    Batch batch;
    batch.num_rows = columns[0]->size();
    batch.columns = columns;
    Selection rows(batch.num_rows);
    std::iota(rows.begin(), rows.end(), uint16_t{0});
    return memtable.append(batch, rows);
}

std::vector<std::optional<int32_t>> values_of(const SortedRows& rows, size_t position) {
    const ColumnPtr column = rows.part(position, 0, rows.num_rows());
    std::vector<std::optional<int32_t>> values;
    for (uint32_t row = 0; row < column->size(); ++row) {
        values.push_back(
            column->is_null(row) ? std::nullopt : std::optional(column->values<int32_t>()[row])
        );
    }
    return values;
}

using Values = std::vector<std::optional<int32_t>>;

TEST(MemtableTest, AggregateTablesJoinTheRowsOfAKey) {
    const DataType number = DataType::of(TypeId::kInt);
    TabletSchemaDefinition definition;
    definition.keys_model = KeysModel::kAggregate;
    definition.columns = {
        column_of(0, number, true),
        column_of(1, number, false, "SUM"),
        column_of(2, number, false, "MIN"),
        column_of(3, number, false, "MAX"),
        column_of(4, number, false, "REPLACE"),
        column_of(5, number, false, "REPLACE_IF_NOT_NULL")
    };
    Memtable memtable(TabletSchema::create(definition).take());
    const ColumnPtr keys = ints({2, null, 2, 1, null, 2, 3, 3});
    const ColumnPtr values = ints({5, 1, null, 7, 2, 3, null, null});
    ASSERT_TRUE(append(memtable, {keys, values, values, values, values, values}).ok());
    // Keys in order: NULL {1, 2}, 1 {7}, 2 {5, NULL, 3}, 3 {NULL, NULL}.
    const auto rows = memtable.take_sorted();
    ASSERT_TRUE(rows.ok()) << rows.status().to_string();
    EXPECT_EQ(values_of(*rows, 0), (Values{null, 1, 2, 3}));
    EXPECT_EQ(values_of(*rows, 1), (Values{3, 7, 8, null}));
    EXPECT_EQ(values_of(*rows, 2), (Values{1, 7, 3, null}));
    EXPECT_EQ(values_of(*rows, 3), (Values{2, 7, 5, null}));
    EXPECT_EQ(values_of(*rows, 4), (Values{2, 7, 3, null}));
    EXPECT_EQ(values_of(*rows, 5), (Values{2, 7, 3, null}));

    ASSERT_TRUE(append(
                    memtable,
                    {ints({1, 1, 1}),
                     ints({1, 2, 3}),
                     ints({1, 2, 3}),
                     ints({1, 2, 3}),
                     ints({1, 2, null}),
                     ints({1, 2, null})}
    )
                    .ok());
    const auto again = memtable.take_sorted();
    EXPECT_EQ(values_of(*again, 4), (Values{null}));
    EXPECT_EQ(values_of(*again, 5), (Values{2}));
}

TEST(MemtableTest, UniqueTablesKeepTheLastRowOfAKey) {
    const DataType number = DataType::of(TypeId::kInt);
    TabletSchemaDefinition definition;
    definition.keys_model = KeysModel::kUnique;
    definition.columns = {
        column_of(0, number, true), column_of(1, number, true), column_of(2, number, false)
    };
    const ColumnPtr first = ints({1, null, 1, 1, null});
    const ColumnPtr second = ints({2, 3, null, 2, 3});
    Memtable memtable(TabletSchema::create(definition).take());
    ASSERT_TRUE(append(memtable, {first, second, ints({10, 20, 30, 40, 50})}).ok());
    const auto rows = memtable.take_sorted();
    EXPECT_EQ(values_of(*rows, 0), (Values{null, 1, 1}));
    EXPECT_EQ(values_of(*rows, 1), (Values{3, null, 2}));
    EXPECT_EQ(values_of(*rows, 2), (Values{50, 30, 40}));

    definition.columns.push_back(column_of(3, number, false));
    definition.sequence_id = 3;
    Memtable sequenced(TabletSchema::create(definition).take());
    ASSERT_TRUE(
        append(sequenced, {first, second, ints({10, 20, 30, 40, 50}), ints({5, null, 1, 4, null})})
            .ok()
    );
    const auto chosen = sequenced.take_sorted();
    EXPECT_EQ(values_of(*chosen, 2), (Values{50, 30, 10}));
}

TEST(MemtableTest, LoadsMaySendSomeColumnsInAnyOrder) {
    const DataType number = DataType::of(TypeId::kInt);
    TabletSchemaDefinition definition;
    definition.columns = {
        column_of(0, number, true), column_of(1, number, false), column_of(2, number, false)
    };
    definition.columns[1].default_value = ints({77});
    const TabletSchemaPtr schema = TabletSchema::create(definition).take();
    const auto layout = WriteLayout::for_load(schema, std::array{2, 0});
    ASSERT_TRUE(layout.ok()) << layout.status().to_string();
    Memtable memtable(*layout);
    ASSERT_TRUE(append(memtable, {ints({1, 2}), ints({9, 8})}).ok());
    auto rows = memtable.take_sorted();
    ASSERT_TRUE(rows.ok() && rows->complete().ok());
    EXPECT_EQ(values_of(*rows, 0), (Values{8, 9}));
    EXPECT_EQ(values_of(*rows, 1), (Values{77, 77}));
    EXPECT_EQ(values_of(*rows, 2), (Values{2, 1}));

    EXPECT_FALSE(WriteLayout::for_load(schema, std::array{1, 2}).ok());
    EXPECT_FALSE(WriteLayout::for_load(schema, std::array{0, 0}).ok());
    EXPECT_FALSE(WriteLayout::for_load(schema, std::array{0, 9}).ok());
    definition.columns[2].type.nullable = false;
    const auto strict =
        WriteLayout::for_load(TabletSchema::create(definition).take(), std::array{0, 1});
    Memtable refused(*strict);
    ASSERT_TRUE(append(refused, {ints({1}), ints({1})}).ok());
    EXPECT_EQ(refused.take_sorted()->complete().code(), ErrorCode::kInvalidArgument);
}

TEST(MemtableTest, UnknownAggregationsAreNotSupported) {
    EXPECT_EQ(parse_value_aggregation("BITMAP_UNION").status().code(), ErrorCode::kNotSupported);
}

}  // namespace
}  // namespace thetis
