// SPDX-License-Identifier: Apache-2.0
#include "exec/sink/mysql_rows.h"

#include <gtest/gtest.h>

#include "column/builder.h"
#include "types/date_time.h"

namespace thetis {

namespace {

using namespace std::string_literals;

template <typename T>
ColumnPtr column_of(const DataType& type, std::vector<std::optional<T>> values) {
    ColumnBuilder builder(type);
    for (const auto& value : values) {
        if (!value.has_value()) {
            builder.append_null();
        } else if constexpr (std::is_same_v<T, std::string>) {
            builder.append_string(*value);
        } else {
            builder.append<T>(*value);
        }
    }
    return builder.finish();
}

std::string encode(std::vector<ColumnPtr> columns, bool binary) {
    Batch batch;
    batch.num_rows = columns[0]->size();
    batch.columns = std::move(columns);
    std::string out;
    append_mysql_rows(batch, binary, out);
    return out;
}

/// The text of a one-row, one-column result.
template <typename T>
std::string text_of(const DataType& type, T value) {
    std::string packet = encode({column_of<T>(type, {value})}, false);
    return packet.substr(5);
}

std::string packet(const std::string& payload) {
    std::string header{static_cast<char>(payload.size()), 0, 0, 0};
    return header + payload;
}

}  // namespace

TEST(MysqlRows, TextOfEveryType) {
    EXPECT_EQ(text_of<uint8_t>(DataType::of(TypeId::kBoolean), 1), "1");
    EXPECT_EQ(text_of<int8_t>(DataType::of(TypeId::kTinyint), -128), "-128");
    EXPECT_EQ(text_of<int16_t>(DataType::of(TypeId::kSmallint), 32767), "32767");
    EXPECT_EQ(text_of<int32_t>(DataType::of(TypeId::kInt), 0), "0");
    EXPECT_EQ(text_of<int64_t>(DataType::of(TypeId::kBigint), INT64_MIN), "-9223372036854775808");
    EXPECT_EQ(
        text_of<int128_t>(DataType::of(TypeId::kLargeint), static_cast<int128_t>(1) << 100),
        "1267650600228229401496703205376"
    );
    EXPECT_EQ(text_of<double>(DataType::of(TypeId::kDouble), 10000.00001), "10000.00001");
    EXPECT_EQ(text_of<double>(DataType::of(TypeId::kDouble), 100), "100");
    EXPECT_EQ(text_of<double>(DataType::of(TypeId::kDouble), 1e16), "1e+16");
    EXPECT_EQ(text_of<double>(DataType::of(TypeId::kDouble), 0.00001), "1e-05");
    EXPECT_EQ(text_of<float>(DataType::of(TypeId::kFloat), 0.1F), "0.1");
    EXPECT_EQ(text_of<int32_t>(DataType::decimal(9, 3), 1340), "1.340");
    EXPECT_EQ(text_of<int64_t>(DataType::decimal(18, 2), -5), "-0.05");
    EXPECT_EQ(text_of<int128_t>(DataType::decimal(38, 0), 12), "12");
    EXPECT_EQ(
        text_of<int32_t>(DataType::of(TypeId::kDate), days_from_civil(1998, 9, 2)), "1998-09-02"
    );
    int64_t moment = int64_t{days_from_civil(2024, 2, 29)} * kMicrosPerDay + 3'723'450'000;
    EXPECT_EQ(text_of<int64_t>(DataType::datetime(0), moment - 450'000), "2024-02-29 01:02:03");
    EXPECT_EQ(text_of<int64_t>(DataType::datetime(3), moment), "2024-02-29 01:02:03.450");
    EXPECT_EQ(text_of<std::string>(DataType::varchar(), "héllo"), "héllo");
}

TEST(MysqlRows, NullsAndNotANumber) {
    EXPECT_EQ(
        encode({column_of<int64_t>(DataType::of(TypeId::kBigint), {std::nullopt, 7})}, false),
        packet("\xFB") + packet("\x01"
                                "7")
    );
    EXPECT_EQ(
        encode({column_of<double>(DataType::of(TypeId::kDouble), {std::nan("")})}, false),
        packet("\xFB")
    );
    EXPECT_EQ(encode({Column::all_null(DataType::of(TypeId::kNull), 1)}, false), packet("\xFB"));
}

TEST(MysqlRows, SelectionConstantAndDictionary) {
    auto dictionary = column_of<std::string>(DataType::varchar(), {"a", "bb"});
    uint32_t codes[] = {1, 0, 1};
    Batch batch;
    batch.num_rows = 3;
    batch.columns = {
        Column::dictionary(3, Buffer::copy_of(codes, sizeof(codes)), nullptr, dictionary),
        Column::constant(column_of<int64_t>(DataType::of(TypeId::kBigint), {5}), 3)
    };
    batch.selection = std::make_shared<Selection>(Selection{0, 2});
    std::string out;
    append_mysql_rows(batch, false, out);
    EXPECT_EQ(
        out,
        packet("\x02"
               "bb"
               "\x01"
               "5"
        ) + packet("\x02"
                   "bb"
                   "\x01"
                   "5")
    );
}

TEST(MysqlRows, LongStringsHaveLongLengths) {
    std::string text(300, 'x');
    std::string out = encode({column_of<std::string>(DataType::varchar(), {text})}, false);
    EXPECT_EQ(out, "\x2f\x01\x00\x00"s + "\xfc\x2c\x01"s + text);
}

TEST(MysqlRows, RowsOfSixteenMegabytesAreSplit) {
    std::string text(0xFFFFFF, 'y');
    std::string out = encode({column_of<std::string>(DataType::varchar(), {"s", text})}, false);
    // The second row: 4 bytes of length and the text make one full packet and one of 4 bytes.
    size_t second = 6;
    EXPECT_EQ(out.substr(0, second), packet("\x01s"));
    EXPECT_EQ(out.substr(second, 4), "\xff\xff\xff\x00"s);
    EXPECT_EQ(out.substr(second + 4, 4), "\xfd\xff\xff\xff"s);
    EXPECT_EQ(out.substr(second + 4 + 0xFFFFFF), "\x04\x00\x00\x00yyyy"s);
}

TEST(MysqlRows, BinaryRows) {
    int64_t noon =
        int64_t{days_from_civil(2024, 1, 2)} * kMicrosPerDay + 12 * 3600 * kMicrosPerSecond;
    std::string out = encode(
        {column_of<int32_t>(DataType::of(TypeId::kInt), {258}),
         column_of<int64_t>(DataType::of(TypeId::kBigint), {std::nullopt}),
         column_of<std::string>(DataType::varchar(), {"ab"}),
         column_of<int32_t>(DataType::of(TypeId::kDate), {days_from_civil(2024, 1, 2)}),
         column_of<int64_t>(DataType::datetime(0), {noon}),
         column_of<int64_t>(DataType::datetime(3), {noon + 5000}),
         column_of<int64_t>(DataType::decimal(18, 1), {15}),
         column_of<uint8_t>(DataType::of(TypeId::kBoolean), {1})},
        true
    );
    EXPECT_EQ(
        out,
        packet(
            "\x00\x08\x00"s + "\x02\x01\x00\x00"s +
            "\x02"
            "ab" +
            "\x04\xe8\x07\x01\x02"s + "\x07\xe8\x07\x01\x02\x0c\x00\x00"s +
            "\x0b\xe8\x07\x01\x02\x0c\x00\x00\x88\x13\x00\x00"s +
            "\x03"
            "1.5" +
            "\x01"
        )
    );
}

}  // namespace thetis
