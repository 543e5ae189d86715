// SPDX-License-Identifier: Apache-2.0
#include "exec/scan/value_columns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "exec/testing/plan_literals.h"

namespace thetis {

namespace {

using ::testing::HasSubstr;

template <typename T>
std::string packed(std::initializer_list<T> values) {
    return {reinterpret_cast<const char*>(std::data(values)), values.size() * sizeof(T)};
}

wire::ValueColumn literals(std::string values, std::optional<std::string> nulls = {}) {
    wire::ValueColumn column;
    wire::LiteralColumn literal;
    literal.values = std::move(values);
    if (nulls.has_value()) {
        literal.__set_nulls(*nulls);
    }
    column.__set_literals(literal);
    return column;
}

wire::ValueColumn text(std::string bytes, std::initializer_list<int32_t> lengths) {
    wire::ValueColumn column = literals(std::move(bytes));
    column.literals.__set_lengths(packed(lengths));
    return column;
}

wire::ValueColumn computed(std::vector<wire::Expr> expressions) {
    wire::ValueColumn column;
    wire::ExprColumn wire;
    wire.expressions = std::move(expressions);
    column.__set_expressions(wire);
    return column;
}

wire::Values values_of(int64_t num_rows, std::vector<wire::ValueColumn> columns) {
    wire::Values values;
    values.num_rows = num_rows;
    values.columns = std::move(columns);
    return values;
}

Result<std::vector<Batch>> decode(const wire::Values& values, std::vector<DataType> types) {
    static const auto functions = FunctionRegistries::create();
    return batches_of_values(values, types, functions, {});
}

/// All values of a column as text, over all batches.
std::vector<std::string> column_text(const std::vector<Batch>& batches, size_t column) {
    std::vector<std::string> rows;
    for (const auto& batch : batches) {
        EXPECT_EQ(batch.columns[column]->size(), batch.num_rows);
        for (uint32_t row = 0; row < batch.num_rows; ++row) {
            rows.push_back(Scalar::from_column(*batch.columns[column], row).to_string());
        }
    }
    return rows;
}

using Rows = std::vector<std::string>;

/// One column of one type, decoded.
Rows one(const DataType& type, int64_t num_rows, wire::ValueColumn column) {
    auto batches = decode(values_of(num_rows, {std::move(column)}), {type});
    EXPECT_TRUE(batches.ok()) << batches.status().to_string();
    return batches.ok() ? column_text(batches.value(), 0) : Rows();
}

/// Why one column of one type is refused.
std::string refusal(const DataType& type, int64_t num_rows, wire::ValueColumn column) {
    auto batches = decode(values_of(num_rows, {std::move(column)}), {type});
    EXPECT_FALSE(batches.ok());
    if (batches.ok()) {
        return "accepted";
    }
    EXPECT_EQ(batches.status().code(), ErrorCode::kInvalidArgument);
    return batches.status().to_string();
}

const DataType kInt = DataType::of(TypeId::kInt);
const DataType kTinyint = DataType::of(TypeId::kTinyint);
const DataType kText = DataType::varchar();

}  // namespace

TEST(ValueColumns, EveryPhysicalType) {
    EXPECT_EQ(one(testing::boolean(), 2, literals(packed<int64_t>({0, 1}))), Rows({"0", "1"}));
    EXPECT_EQ(one(kTinyint, 2, literals(packed<int64_t>({-128, 127}))), Rows({"-128", "127"}));
    EXPECT_EQ(
        one(DataType::of(TypeId::kSmallint), 2, literals(packed<int64_t>({-32768, 32767}))),
        Rows({"-32768", "32767"})
    );
    EXPECT_EQ(
        one(kInt, 2, literals(packed<int64_t>({INT32_MIN, INT32_MAX}))),
        Rows({"-2147483648", "2147483647"})
    );
    EXPECT_EQ(
        one(testing::bigint(), 2, literals(packed<int64_t>({INT64_MIN, INT64_MAX}))),
        Rows({"-9223372036854775808", "9223372036854775807"})
    );
    EXPECT_EQ(
        one(DataType::decimal(9, 2), 1, literals(packed<int64_t>({-12345}))), Rows({"-123.45"})
    );
    EXPECT_EQ(
        one(DataType::decimal(18, 0), 1, literals(packed<int64_t>({999'999'999'999'999'999}))),
        Rows({"999999999999999999"})
    );
    EXPECT_EQ(
        one(DataType::of(TypeId::kDate), 2, literals(packed<int64_t>({0, 19'782}))),
        Rows({"1970-01-01", "2024-02-29"})
    );
    EXPECT_EQ(
        one(DataType::of(TypeId::kLargeint), 1, literals(packed<int128_t>({-1}))), Rows({"-1"})
    );
    EXPECT_EQ(
        one(DataType::decimal(38, 3), 1, literals(packed<int128_t>({int128_t{1} << 64}))),
        Rows({"18446744073709551.616"})
    );
    EXPECT_EQ(one(DataType::of(TypeId::kFloat), 1, literals(packed<double>({0.5}))), Rows({"0.5"}));
    EXPECT_EQ(
        one(DataType::of(TypeId::kDouble), 1, literals(packed<double>({-0.1}))), Rows({"-0.1"})
    );
    EXPECT_EQ(
        one(kText, 3, text("abclonger than the inline bytes", {3, 0, 28})),
        Rows({"abc", "", "longer than the inline bytes"})
    );
}

TEST(ValueColumns, ZeroUnderNulls) {
    auto batches = decode(
        values_of(
            2,
            {literals(packed<int64_t>({7, 8}), std::string("\1\0", 2)),
             [] {
                 auto column = text("hiddenseen", {6, 4});
                 column.literals.__set_nulls(std::string("\1\0", 2));
                 return column;
             }()}
        ),
        {kInt, kText}
    );
    ASSERT_TRUE(batches.ok()) << batches.status().to_string();
    EXPECT_EQ(column_text(batches.value(), 0), Rows({"NULL", "8"}));
    EXPECT_EQ(column_text(batches.value(), 1), Rows({"NULL", "seen"}));
    EXPECT_EQ(batches.value()[0].columns[0]->values<int32_t>()[0], 0);
    EXPECT_EQ(batches.value()[0].columns[1]->values<StringRef>()[0].size(), 0U);
}

TEST(ValueColumns, ManyBatches) {
    const int64_t num_rows = int64_t{kMaxBatchRows} * 2 + 3;
    std::string numbers;
    std::string bytes;
    std::string lengths;
    std::string nulls;
    Rows expected;
    for (int64_t row = 0; row < num_rows; ++row) {
        numbers += packed({row});
        std::string word = "row number " + std::to_string(row);
        lengths += packed({static_cast<int32_t>(word.size())});
        bytes += word;
        nulls += static_cast<char>(row % 3 == 0 ? 1 : 0);
        expected.push_back(row % 3 == 0 ? "NULL" : word);
    }
    auto words = literals(bytes, nulls);
    words.literals.__set_lengths(lengths);
    auto batches =
        decode(values_of(num_rows, {literals(numbers), words}), {testing::bigint(), kText});
    ASSERT_TRUE(batches.ok()) << batches.status().to_string();
    ASSERT_EQ(batches.value().size(), 3U);
    EXPECT_EQ(batches.value()[2].num_rows, 3U);
    EXPECT_EQ(column_text(batches.value(), 0).back(), std::to_string(num_rows - 1));
    EXPECT_EQ(column_text(batches.value(), 1), expected);
}

TEST(ValueColumns, Expressions) {
    auto sum = testing::call("add", testing::bigint(), {testing::literal(1), testing::literal(2)});
    EXPECT_EQ(
        one(testing::bigint(), 3, computed({sum, testing::null_literal(), testing::literal(5)})),
        Rows({"3", "NULL", "5"})
    );
    EXPECT_THAT(refusal(testing::bigint(), 2, computed({sum})), HasSubstr("1 expressions for 2"));
    EXPECT_THAT(refusal(kText, 1, computed({sum})), HasSubstr("a value of type bigint"));
    EXPECT_THAT(
        refusal(testing::bigint(), 1, computed({testing::slot(0)})), HasSubstr("not constant")
    );
}

TEST(ValueColumns, RowsWithoutColumns) {
    auto batches = decode(values_of(kMaxBatchRows + 1, {}), {});
    ASSERT_TRUE(batches.ok());
    ASSERT_EQ(batches.value().size(), 2U);
    EXPECT_EQ(batches.value()[1].num_rows, 1U);
}

TEST(ValueColumns, WrongSizesAreRefused) {
    auto two = packed<int64_t>({1, 2});
    EXPECT_THAT(refusal(kInt, 3, literals(two)), HasSubstr("16 bytes for 3 rows"));
    EXPECT_THAT(refusal(kInt, 1, literals(two)), HasSubstr("16 bytes for 1 rows"));
    EXPECT_THAT(refusal(kInt, 0, literals(two)), HasSubstr("16 bytes for 0 rows"));
    EXPECT_THAT(refusal(kInt, 2, literals(two.substr(1))), HasSubstr("15 bytes for 2 rows"));
    EXPECT_THAT(
        refusal(DataType::of(TypeId::kLargeint), 2, literals(two)), HasSubstr("16 bytes for 2 rows")
    );
    EXPECT_THAT(refusal(kInt, 2, literals(two, std::string(3, '\0'))), HasSubstr("3 null marks"));
    EXPECT_THAT(refusal(kInt, 2, text(two, {8, 8})), HasSubstr("lengths for values"));
    EXPECT_THAT(refusal(kText, 2, literals("ab")), HasSubstr("no lengths"));
    EXPECT_THAT(refusal(kText, 2, text("ab", {2})), HasSubstr("4 bytes of lengths for 2 rows"));
    EXPECT_THAT(refusal(kText, 2, text("ab", {3, -1})), HasSubstr("negative"));
    EXPECT_THAT(refusal(kText, 2, text("ab", {1, 2})), HasSubstr("3 bytes in all for 2 bytes"));
    EXPECT_THAT(refusal(kText, 2, text("ab", {1, 0})), HasSubstr("1 bytes in all for 2 bytes"));
    EXPECT_THAT(
        refusal(kText, 2, text("ab", {INT32_MAX, INT32_MAX})), HasSubstr("in all for 2 bytes")
    );
    EXPECT_THAT(refusal(kInt, 1, wire::ValueColumn()), HasSubstr("0 expressions for 1 rows"));
}

TEST(ValueColumns, ValuesBeyondTheTypeAreRefused) {
    EXPECT_THAT(refusal(kTinyint, 1, literals(packed<int64_t>({128}))), HasSubstr("beyond"));
    EXPECT_THAT(
        refusal(kInt, 1, literals(packed<int64_t>({int64_t{1} << 31}))), HasSubstr("beyond")
    );
    EXPECT_THAT(
        refusal(testing::boolean(), 1, literals(packed<int64_t>({2}))), HasSubstr("beyond")
    );
    EXPECT_THAT(
        refusal(testing::boolean(), 1, literals(packed<int64_t>({-1}))), HasSubstr("beyond")
    );
}

TEST(ValueColumns, WrongNumbersOfRowsAndColumnsAreRefused) {
    auto one_row = literals(packed<int64_t>({1}));
    EXPECT_THAT(refusal(kInt, -1, one_row), HasSubstr("-1 literal rows"));
    EXPECT_THAT(refusal(kInt, INT64_MAX, one_row), HasSubstr("literal rows in a plan"));
    EXPECT_THAT(refusal(kInt, INT64_MIN, one_row), HasSubstr("literal rows in a plan"));
    EXPECT_THAT(refusal(kInt, int64_t{1} << 30, one_row), HasSubstr("8 bytes for 1073741824 rows"));
    for (const auto& columns : {std::vector<wire::ValueColumn>{}, {one_row, one_row}}) {
        auto batches = decode(values_of(1, columns), {kInt});
        ASSERT_FALSE(batches.ok());
        EXPECT_THAT(batches.status().to_string(), HasSubstr("literal columns for 1 types"));
    }
    EXPECT_FALSE(decode(values_of(INT64_MAX, {}), {}).ok());
}

}  // namespace thetis
