// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/text/numbers.h"
#include "types/data_type.h"
#include "types/date_time.h"
#include "types/decimal.h"
#include "types/time_zone.h"

namespace thetis {

namespace {

std::string printed(int128_t value, int scale) {
    char text[kMaxNumberText];
    return {text, print_decimal(text, value, scale)};
}

std::string printed_datetime(int64_t micros, int scale) {
    char text[40];
    return {text, print_datetime(text, micros, scale)};
}

TEST(StringRef, ComparesBytewise) {
    const std::string longer = "prefix and a long rest";
    const std::string other = "prefix and a long rust";
    EXPECT_EQ(StringRef(std::string_view(longer)), StringRef(std::string_view(longer)));
    EXPECT_LT(StringRef(std::string_view(longer)), StringRef(std::string_view(other)));
    EXPECT_LT(StringRef(std::string_view("ab")), StringRef(std::string_view("abc")));
    EXPECT_LT(StringRef(std::string_view("")), StringRef(std::string_view("\0", 1)));
    EXPECT_LT(StringRef(std::string_view("a")), StringRef(std::string_view("\xFF")));
    EXPECT_NE(StringRef(std::string_view("abcd")), StringRef(std::string_view("abcde")));
}

TEST(DataType, PrintsAndPicksItsForm) {
    EXPECT_EQ(DataType::decimal(10, 2).to_string(), "decimal(10,2)");
    EXPECT_EQ(DataType::decimal(9, 2).physical(), PhysicalType::kInt32);
    EXPECT_EQ(DataType::decimal(18, 2).physical(), PhysicalType::kInt64);
    EXPECT_EQ(DataType::decimal(38, 2).physical(), PhysicalType::kInt128);
    EXPECT_EQ(DataType::datetime(3).to_string(), "datetime(3)");
}

TEST(Decimal, Prints) {
    EXPECT_EQ(printed(0, 3), "0.000");
    EXPECT_EQ(printed(1340, 3), "1.340");
    EXPECT_EQ(printed(-5, 2), "-0.05");
    EXPECT_EQ(printed(12, 0), "12");
    EXPECT_EQ(printed(-max_decimal(38), 38), "-0.99999999999999999999999999999999999999");
}

TEST(Decimal, RoundsHalfAwayFromZero) {
    EXPECT_EQ(divide_half_up(5, 10), 1);
    EXPECT_EQ(divide_half_up(-5, 10), -1);
    EXPECT_EQ(divide_half_up(4, 10), 0);
    EXPECT_EQ(divide_half_up(1, 2), 1);
    EXPECT_EQ(divide_half_up(1, 3), 0);
    EXPECT_EQ(divide_half_up(2, 3), 1);
    int128_t result;
    EXPECT_TRUE(rescale_decimal(-2345, 3, 2, result));
    EXPECT_EQ(result, -235);
    EXPECT_TRUE(rescale_decimal(7, 0, 37, result));
    EXPECT_FALSE(rescale_decimal(77, 0, 37, result));
    EXPECT_TRUE(rescale_decimal(0, 0, 38, result));
}

TEST(Decimal, ParsesExtremes) {
    int128_t value;
    EXPECT_EQ(parse_decimal("1e-50", 10, 2, value), DecimalParse::kOk);
    EXPECT_EQ(value, 0);
    EXPECT_EQ(parse_decimal("1e50", 10, 2, value), DecimalParse::kOverflow);
    EXPECT_EQ(value, 9999999999LL);
    EXPECT_EQ(
        parse_decimal("0.000000000000000000000000000000000000000000001e45", 10, 2, value),
        DecimalParse::kOk
    );
    EXPECT_EQ(value, 100);
    EXPECT_EQ(parse_decimal("9.995", 3, 2, value), DecimalParse::kOverflow);
    EXPECT_EQ(
        parse_decimal("12345678901234567890123456789012345678901234567890e-40", 12, 2, value),
        DecimalParse::kOk
    );
    EXPECT_EQ(printed(value, 2), "1234567890.12");
    EXPECT_EQ(parse_decimal("-", 3, 2, value), DecimalParse::kInvalid);
    EXPECT_EQ(parse_decimal(".", 3, 2, value), DecimalParse::kInvalid);
    EXPECT_EQ(decimal_to_double(12345, 2), 123.45);
}

TEST(DateTime, ConvertsDaysAndBack) {
    EXPECT_EQ(days_from_civil(1970, 1, 1), 0);
    EXPECT_EQ(days_from_civil(0, 1, 1), kMinDate);
    EXPECT_EQ(days_from_civil(9999, 12, 31), kMaxDate);
    EXPECT_EQ(days_from_civil(2000, 2, 29), 11016);
    for (int32_t days = kMinDate; days <= kMaxDate; days += 97) {
        const CivilTime civil = civil_from_date(days);
        EXPECT_EQ(days_from_civil(civil.year, civil.month, civil.day), days);
    }
    EXPECT_EQ(days_of_datetime(-1), -1);
    EXPECT_EQ(time_of_datetime(-1), kMicrosPerDay - 1);
}

TEST(DateTime, PrintsAndRounds) {
    int64_t micros;
    ASSERT_TRUE(parse_datetime("0000-01-01 00:00:00.000001", 6, nullptr, micros));
    EXPECT_EQ(printed_datetime(micros, 6), "0000-01-01 00:00:00.000001");
    EXPECT_EQ(printed_datetime(round_datetime(micros, 3), 3), "0000-01-01 00:00:00.000");
    ASSERT_TRUE(parse_datetime("1969-12-31 23:59:59.5", 1, nullptr, micros));
    EXPECT_EQ(printed_datetime(round_datetime(micros, 0), 0), "1970-01-01 00:00:00");
    char text[40];
    EXPECT_EQ(std::string(text, print_time(text, -86400 * kMicrosPerSecond, 0)), "-24:00:00");
    EXPECT_EQ(std::string(text, print_time(text, 838 * 3600 * kMicrosPerSecond, 0)), "838:00:00");
}

TEST(DateTime, ReadsTimes) {
    const std::pair<const char*, int64_t> cases[] = {
        {"1:2:3", 3723}, {"12:34", 45240}, {"-01:00:00", -3600}, {"123456", 45296}, {"5", 5}
    };
    for (const auto& [text, seconds] : cases) {
        int64_t micros;
        ASSERT_TRUE(parse_time(text, 0, micros)) << text;
        EXPECT_EQ(micros, seconds * kMicrosPerSecond) << text;
    }
    int64_t micros;
    for (const char* text : {"", "a", "12:60:00", "839:00:00", "1:2:3x"}) {
        EXPECT_FALSE(parse_time(text, 0, micros)) << text;
    }
}

TEST(TimeZone, KnowsOffsetsAndNames) {
    int32_t seconds;
    EXPECT_TRUE(parse_zone_offset("+08:00", seconds));
    EXPECT_EQ(seconds, 28800);
    EXPECT_TRUE(parse_zone_offset("-0330", seconds));
    EXPECT_EQ(seconds, -12600);
    for (const char* text : {"+15:00", "-12:30", "08:00", "+8:0", "+"}) {
        EXPECT_FALSE(parse_zone_offset(text, seconds)) << text;
    }
    EXPECT_EQ(TimeZone::fixed(28800)->name(), "+08:00");
    EXPECT_EQ(TimeZone::load("cst").value()->name(), "Asia/Shanghai");
    EXPECT_EQ(TimeZone::load("cst").value(), TimeZone::load("cst").value());  // Read once.
    EXPECT_FALSE(TimeZone::load("../etc/passwd").ok());
    EXPECT_FALSE(TimeZone::load("").ok());
}

TEST(TimeZone, FollowsDaylightSaving) {
    const auto zone = TimeZone::load("america/new_york").take();
    EXPECT_EQ(zone->offset_at_utc(1583650799), -18000);  // 2020-03-08 01:59:59 standard time.
    EXPECT_EQ(zone->offset_at_utc(1583650800), -14400);
    int64_t local;
    ASSERT_TRUE(parse_datetime("2020-11-01 01:30:00", 0, nullptr, local)
    );  // Twice; the earlier counts.
    EXPECT_EQ(zone->local_to_utc_micros(local) - local, 14400 * kMicrosPerSecond);
    ASSERT_TRUE(parse_datetime("2020-11-01 02:00:00", 0, nullptr, local));
    EXPECT_EQ(zone->local_to_utc_micros(local) - local, 18000 * kMicrosPerSecond);
    ASSERT_TRUE(parse_datetime("2020-03-08 02:30:00", 0, nullptr, local)
    );  // Does not exist; the offset before the gap.
    EXPECT_EQ(zone->local_to_utc_micros(local) - local, 18000 * kMicrosPerSecond);
}

}  // namespace

}  // namespace thetis
