// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "column/testing/columns.h"
#include "functions/cast.h"
#include "functions/registries.h"

namespace thetis {

namespace {

using testing::bigints;
using testing::doubles;
using testing::ints;
using testing::null;
using testing::parsed;
using testing::rows_of;
using testing::texts;
using Rows = std::vector<std::string>;

const DataType kBoolean = DataType::of(TypeId::kBoolean);
const DataType kTinyint = DataType::of(TypeId::kTinyint);
const DataType kSmallint = DataType::of(TypeId::kSmallint);
const DataType kInt = DataType::of(TypeId::kInt);
const DataType kBigint = DataType::of(TypeId::kBigint);
const DataType kLargeint = DataType::of(TypeId::kLargeint);
const DataType kFloat = DataType::of(TypeId::kFloat);
const DataType kDouble = DataType::of(TypeId::kDouble);
const DataType kDate = DataType::of(TypeId::kDate);
const DataType kTime = DataType::of(TypeId::kTime);
const DataType kString = DataType::of(TypeId::kString);

/// Text of the one-row results of a call; arguments are written as text and read as their types.
class FunctionTest : public ::testing::Test {
protected:
    struct Argument {
        DataType type;
        std::optional<std::string> text;
    };

    static Argument s(std::optional<std::string> text) { return {kString, std::move(text)}; }

    static Argument i(int64_t value) { return {kInt, std::to_string(value)}; }

    static Argument b(int64_t value) { return {kBigint, std::to_string(value)}; }

    static Argument d(const std::string& text) { return {kDate, text}; }

    static Argument t(const std::string& text, int scale = 0) {
        return {DataType::datetime(scale), text};
    }

    static Argument r(const std::string& text) { return {kDouble, text}; }

    std::string call(
        const std::string& name,
        const DataType& result,
        const std::vector<Argument>& arguments,
        bool constant = false
    ) {
        const ScalarRegistry::Entry* entry = registries_.scalar.find(name);
        if (entry == nullptr) {
            return "no function " + name;
        }
        std::vector<DataType> types;
        std::vector<ColumnPtr> columns;
        std::vector<ColumnPtr> constants;
        for (const Argument& argument : arguments) {
            types.push_back(argument.type);
            columns.push_back(parsed(argument.type, {argument.text}));
            constants.push_back(constant ? columns.back() : nullptr);
        }
        Result<Kernel> kernel = entry->factory({name, types, constants, result});
        if (!kernel.ok()) {
            return kernel.status().to_string();
        }
        Result<ColumnPtr> column = kernel.value()({columns, result, 1, context_});
        return column.ok() ? value_text(**column, 0) : column.status().to_string();
    }

    std::string cast(const DataType& from, std::optional<std::string> text, const DataType& to) {
        Result<ColumnPtr> column = cast_column(parsed(from, {std::move(text)}), to, context_);
        return column.ok() ? value_text(**column, 0) : column.status().to_string();
    }

    FunctionRegistries registries_ = FunctionRegistries::create();
    EvalContext context_;
};

TEST_F(FunctionTest, EveryCatalogNameHasAKernel) {
    const Status status = registries_.check_catalog();
    EXPECT_TRUE(status.ok()) << status.to_string();
}

TEST_F(FunctionTest, CastsTextToNumbers) {
    EXPECT_EQ(cast(kString, "1212.31", kInt), "1212");
    EXPECT_EQ(cast(kString, "1212.31", kTinyint), "NULL");
    EXPECT_EQ(cast(kString, " -7 ", kSmallint), "-7");
    EXPECT_EQ(cast(kString, "+", kInt), "NULL");
    EXPECT_EQ(cast(kString, "", kInt), "NULL");
    EXPECT_EQ(cast(kString, "12a", kInt), "NULL");
    EXPECT_EQ(cast(kString, "9223372036854775808", kBigint), "NULL");
    EXPECT_EQ(cast(kString, "-9223372036854775808", kBigint), "-9223372036854775808");
    EXPECT_EQ(
        cast(kString, "-170141183460469231731687303715884105728", kLargeint),
        "-170141183460469231731687303715884105728"
    );
    EXPECT_EQ(cast(kString, "170141183460469231731687303715884105728", kLargeint), "NULL");
    EXPECT_EQ(cast(kString, " True ", kBoolean), "1");
    EXPECT_EQ(cast(kString, "0.0", kBoolean), "0");
    EXPECT_EQ(cast(kString, "maybe", kBoolean), "NULL");
    EXPECT_EQ(cast(kString, " 1.5e3 ", kDouble), "1500");
    EXPECT_EQ(cast(kString, "-inf", kDouble), "-inf");
    EXPECT_EQ(cast(kString, "1e400", kDouble), "inf");
    EXPECT_EQ(cast(kString, "1.2.3", kDouble), "NULL");
}

TEST_F(FunctionTest, CastsTextToDecimals) {
    EXPECT_EQ(cast(kString, "-280.00005", DataType::decimal(10, 4)), "-280.0001");
    EXPECT_EQ(cast(kString, "1001-12-31", DataType::decimal(10, 0)), "1001");
    EXPECT_EQ(cast(kString, "100000", DataType::decimal(2, 1)), "9.9");
    EXPECT_EQ(cast(kString, "-100000", DataType::decimal(2, 1)), "-9.9");
    EXPECT_EQ(cast(kString, "1.5e2", DataType::decimal(9, 2)), "150.00");
    EXPECT_EQ(cast(kString, ".05", DataType::decimal(5, 2)), "0.05");
    EXPECT_EQ(cast(kString, "0.00499", DataType::decimal(5, 2)), "0.00");
    EXPECT_EQ(cast(kString, "0.005", DataType::decimal(5, 2)), "0.01");
    EXPECT_EQ(cast(kString, "abc", DataType::decimal(5, 2)), "NULL");
    EXPECT_EQ(
        cast(kString, "99999999999999999999999999999999999999", DataType::decimal(38, 0)),
        "99999999999999999999999999999999999999"
    );
}

TEST_F(FunctionTest, CastsTextToDates) {
    const std::pair<const char*, const char*> cases[] = {
        {"2020-01-02", "2020-01-02 00:00:00"},
        {"2020-1-2 3:4:5", "2020-01-02 03:04:05"},
        {"20200102", "2020-01-02 00:00:00"},
        {"20200102030405", "2020-01-02 03:04:05"},
        {"2020-01-02T03:04:05", "2020-01-02 03:04:05"},
        {"70-01-01", "1970-01-01 00:00:00"},
        {"69/12/31", "2069-12-31 00:00:00"},
        {"10:10:10", "2010-10-10 00:00:00"},
        {"2020-01-02 03:04:05.5", "2020-01-02 03:04:06"},
        {"2020-12-31 23:59:59.9", "2021-01-01 00:00:00"},
        {"2020-01-02 03:04:05+08:00", "2020-01-01 19:04:05"},
        {"2020-01-02 03:04:05Z", "2020-01-02 03:04:05"},
        {"2020-01-02 08:00:00 Asia/Shanghai", "2020-01-02 00:00:00"},
        {"", "NULL"},
        {"1", "NULL"},
        {"a", "NULL"},
        {"2020-00-01", "NULL"},
        {"2021-02-29", "NULL"},
        {"10000-01-01", "NULL"},
        {"9999-12-31 23:59:59.9", "NULL"},
        {"2020-01-01 25:00:00", "NULL"},
        {"200102", "2020-01-02 00:00:00"},
    };
    for (const auto& [text, expected] : cases) {
        EXPECT_EQ(cast(kString, text, DataType::datetime(0)), expected) << text;
    }
    EXPECT_EQ(
        cast(kString, "2020-01-02 03:04:05.123456", DataType::datetime(3)),
        "2020-01-02 03:04:05.123"
    );
    EXPECT_EQ(cast(kString, "2020-01-02 03:04:05", kDate), "2020-01-02");
    EXPECT_EQ(cast(kString, "12:34:56.7", DataType{.id = TypeId::kTime, .scale = 1}), "12:34:56.7");
    EXPECT_EQ(cast(kString, "2020-01-02 03:04:05", kTime), "03:04:05");
}

TEST_F(FunctionTest, CastsBetweenNumbers) {
    EXPECT_EQ(cast(kInt, "300", kTinyint), "44");
    EXPECT_EQ(cast(kDouble, "-1.9", kInt), "-1");
    EXPECT_EQ(cast(kDouble, "nan", kInt), "NULL");
    EXPECT_EQ(cast(kInt, "7", DataType::decimal(5, 2)), "7.00");
    EXPECT_NE(
        cast(kInt, "7000", DataType::decimal(5, 2)).find("Arithmetic overflow"), std::string::npos
    );
    EXPECT_EQ(cast(DataType::decimal(10, 3), "2.345", DataType::decimal(10, 2)), "2.35");
    EXPECT_EQ(cast(DataType::decimal(10, 3), "-2.345", DataType::decimal(38, 2)), "-2.35");
    EXPECT_NE(
        cast(DataType::decimal(5, 2), "999.99", DataType::decimal(4, 1))
            .find("Arithmetic overflow"),
        std::string::npos
    );
    EXPECT_EQ(cast(DataType::decimal(10, 3), "-2.945", kInt), "-2");
    EXPECT_EQ(cast(DataType::decimal(10, 3), "0.1", kDouble), "0.1");
    EXPECT_EQ(cast(kDouble, "0.285", DataType::decimal(5, 2)), "0.29");
    EXPECT_EQ(cast(kBoolean, "1", DataType::decimal(3, 1)), "1.0");
    EXPECT_EQ(cast(kDouble, "10000.00001", kString), "10000.00001");
    EXPECT_EQ(cast(kDouble, "1e16", kString), "1e+16");
    EXPECT_EQ(cast(kDouble, "123456789012345.0", kString), "123456789012345");
    EXPECT_EQ(cast(kDouble, "0.00001", kString), "1e-05");
    EXPECT_EQ(cast(kFloat, "0.1", kString), "0.1");
    EXPECT_EQ(
        cast(kLargeint, "-170141183460469231731687303715884105728", kString),
        "-170141183460469231731687303715884105728"
    );
}

TEST_F(FunctionTest, CastsDates) {
    EXPECT_EQ(cast(kDate, "2020-01-01", kInt), "20200101");
    EXPECT_EQ(cast(DataType::datetime(0), "2020-01-01 02:03:04", kBigint), "20200101020304");
    EXPECT_EQ(cast(kInt, "20200229", kDate), "2020-02-29");
    EXPECT_EQ(cast(kInt, "20210229", kDate), "NULL");
    EXPECT_EQ(
        cast(DataType::datetime(6), "2020-01-01 02:03:04.500000", DataType::datetime(0)),
        "2020-01-01 02:03:05"
    );
    EXPECT_EQ(cast(DataType::datetime(0), "2020-01-01 02:03:04", kTime), "02:03:04");
    EXPECT_EQ(cast(kString, "20190101", DataType{.id = TypeId::kChar, .length = 2}), "20");
}

TEST_F(FunctionTest, DecimalDivision) {
    // (9,3) / 10: dividend scale 3 + 0 + 4.
    EXPECT_EQ(
        call(
            "divide",
            DataType::decimal(17, 7),
            {{DataType::decimal(17, 7), "123.123"}, {DataType::decimal(18, 0), "10"}}
        ),
        "12.3123000"
    );
    EXPECT_EQ(
        call(
            "divide",
            DataType::decimal(18, 6),
            {{DataType::decimal(18, 8), "1"}, {DataType::decimal(16, 2), "3"}}
        ),
        "0.333333"
    );
    EXPECT_EQ(
        call(
            "divide",
            DataType::decimal(18, 6),
            {{DataType::decimal(18, 8), "2"}, {DataType::decimal(16, 2), "0"}}
        ),
        "NULL"
    );
    EXPECT_EQ(call("divide", kDouble, {r("1"), r("4")}), "0.25");
    EXPECT_EQ(call("divide", kDouble, {r("1"), r("0")}), "NULL");
    EXPECT_EQ(call("int_divide", kBigint, {b(-7), b(2)}), "-3");
    EXPECT_EQ(call("mod", kBigint, {b(-7), b(2)}), "-1");
    EXPECT_EQ(call("mod", kBigint, {b(7), b(0)}), "NULL");
    EXPECT_EQ(call("pmod", kBigint, {b(-7), b(3)}), "2");
    EXPECT_NE(
        call("int_divide", kBigint, {b(INT64_MIN), b(-1)}).find("OUT_OF_RANGE"), std::string::npos
    );
}

TEST_F(FunctionTest, MultipliesWideDecimals) {
    const DataType wide = DataType::decimal(38, 6);
    const DataType cut = DataType::decimal(38, 8);
    EXPECT_EQ(
        call("multiply", cut, {{wide, "1234567.000001"}, {wide, "-1.500000"}}), "-1851850.50000150"
    );
    EXPECT_EQ(call("multiply", cut, {{wide, "0.000500"}, {wide, "0.000010"}}), "0.00000001");
    EXPECT_EQ(
        call("multiply", cut, {{wide, "99999999999999999999.000000"}, {wide, "9.000000"}}),
        "899999999999999999991.00000000"
    );
    EXPECT_NE(
        call("multiply", cut, {{wide, "99999999999999999999999999999999.0"}, {wide, "10.0"}})
            .find("Arithmetic overflow"),
        std::string::npos
    );
    EXPECT_EQ(
        call(
            "multiply",
            DataType::decimal(18, 4),
            {{DataType::decimal(9, 2), "-1.25"}, {DataType::decimal(9, 2), "0.03"}}
        ),
        "-0.0375"
    );
    EXPECT_EQ(call("multiply", kBigint, {b(INT64_MAX), b(2)}), "-2");
}

TEST_F(FunctionTest, Like) {
    const std::tuple<const char*, const char*, const char*> cases[] = {
        {"abc", "abc", "1"},
        {"abc", "a%", "1"},
        {"abc", "%c", "1"},
        {"abc", "%b%", "1"},
        {"abc", "b%", "0"},
        {"abc", "a_c", "1"},
        {"abc", "_", "0"},
        {"", "%", "1"},
        {"", "", "1"},
        {"a%c", "a\\%c", "1"},
        {"abc", "a\\%c", "0"},
        {"aXbYc", "a%b%c", "1"},
        {"special requests", "%special%requests%", "1"},
        {"special packages", "%special%requests%", "0"},
        {"ABC", "abc", "0"},
        {"aaab", "%aab", "1"},
        {"中文", "__", "1"},
        {"中文", "_", "0"},
        {"a\nb", "a%b", "1"},
        {"aab", "a%ab%b", "0"},
        {"ab", "%_b", "1"},
        {"mississippi", "m%iss%ip%i", "1"},
        {"a_b", "a\\_b", "1"},
        {"axb", "a\\_b", "0"},
        {"abab", "%ab", "1"},
        {"PROMO BRUSHED", "PROMO%", "1"},
    };
    for (const auto& [text, pattern, expected] : cases) {
        EXPECT_EQ(call("like", kBoolean, {s(text), s(pattern)}, true), expected)
            << text << " LIKE " << pattern;
        EXPECT_EQ(call("like", kBoolean, {s(text), s(pattern)}, false), expected)
            << text << " LIKE " << pattern;
    }
}

TEST_F(FunctionTest, RegularExpressions) {
    EXPECT_EQ(call("regexp", kBoolean, {s("Billie Eillish"), s("^B.*sh$")}), "1");
    EXPECT_EQ(call("regexp", kBoolean, {s("x"), s("(")}, true).substr(0, 18), "[INVALID_ARGUMENT]");
    EXPECT_EQ(
        call("regexp_extract", kString, {s("AbCdE"), s("([[:lower:]]+)C([[:lower:]]+)"), b(2)}), "d"
    );
    EXPECT_EQ(call("regexp_extract", kString, {s("AbCdE"), s("(x)"), b(1)}), "");
    EXPECT_EQ(call("regexp_extract_or_null", kString, {s("AbCdE"), s("(x)"), b(1)}), "NULL");
    EXPECT_EQ(
        call("regexp_extract_all", kString, {s("abc=18 def=17"), s("=([0-9]+)")}), "['18','17']"
    );
    EXPECT_EQ(call("regexp_replace", kString, {s("a b c"), s("(b)"), s("<\\1>")}), "a <b> c");
    EXPECT_EQ(call("regexp_replace", kString, {s("a b c"), s(" "), s("-")}), "a-b-c");
    EXPECT_EQ(call("regexp_replace_one", kString, {s("a b c"), s(" "), s("-")}), "a-b c");
}

TEST_F(FunctionTest, PartsOfTexts) {
    EXPECT_EQ(call("substring", kString, {s("abc1"), i(2)}), "bc1");
    EXPECT_EQ(call("substring", kString, {s("abc1"), i(-2)}), "c1");
    EXPECT_EQ(call("substring", kString, {s("abc1"), i(0)}), "");
    EXPECT_EQ(call("substring", kString, {s("abc1"), i(5)}), "");
    EXPECT_EQ(call("substring", kString, {s("abc1"), i(-9), i(2)}), "");
    EXPECT_EQ(call("substring", kString, {s("13-phone"), i(1), i(2)}), "13");
    EXPECT_EQ(call("substring", kString, {s("abc1"), i(1), i(0)}), "");
    EXPECT_EQ(call("substring", kString, {s("中文字"), i(2), i(1)}), "文");
    EXPECT_EQ(call("left", kString, {s("Hello world"), i(5)}), "Hello");
    EXPECT_EQ(call("left", kString, {s("abc"), i(-1)}), "");
    EXPECT_EQ(call("right", kString, {s("Hello world"), i(5)}), "world");
    EXPECT_EQ(call("right", kString, {s("good morning"), i(-2)}), "ood morning");
    EXPECT_EQ(call("trim", kString, {s("  ab ")}), "ab");
    EXPECT_EQ(call("ltrim", kString, {s("ababccaab"), s("ab")}), "ccaab");
    EXPECT_EQ(call("rtrim", kString, {s("ab  ")}), "ab");
    EXPECT_EQ(call("split_part", kString, {s("hello word"), s(" "), i(2)}), "word");
    EXPECT_EQ(call("split_part", kString, {s("hello word"), s(" "), i(-1)}), "word");
    EXPECT_EQ(call("split_part", kString, {s("hello word"), s(" "), i(0)}), "NULL");
    EXPECT_EQ(call("split_part", kString, {s("hello word"), s(" "), i(3)}), "NULL");
    EXPECT_EQ(call("substring_index", kString, {s("hello world"), s(" "), i(1)}), "hello");
    EXPECT_EQ(call("substring_index", kString, {s("a.b.c"), s("."), i(-2)}), "b.c");
    EXPECT_EQ(call("substring_index", kString, {s("a.b.c"), s("."), i(7)}), "a.b.c");
}

TEST_F(FunctionTest, BuildingTexts) {
    EXPECT_EQ(call("concat", kString, {s("a"), s("b"), s("c")}), "abc");
    EXPECT_EQ(call("concat", kString, {s("a"), s(null)}), "NULL");
    EXPECT_EQ(call("concat_ws", kString, {s("or"), s("d"), s(null), s("is")}), "doris");
    EXPECT_EQ(call("concat_ws", kString, {s(null), s("d"), s("is")}), "NULL");
    EXPECT_EQ(call("lpad", kString, {s("hi"), i(5), s("xy")}), "xyxhi");
    EXPECT_EQ(call("lpad", kString, {s("hi"), i(1), s("xy")}), "h");
    EXPECT_EQ(call("rpad", kString, {s("hi"), i(5), s("xy")}), "hixyx");
    EXPECT_EQ(call("lpad", kString, {s("hi"), i(-1), s("xy")}), "NULL");
    EXPECT_EQ(call("repeat", kString, {s("a"), i(3)}), "aaa");
    EXPECT_EQ(call("repeat", kString, {s("a"), i(-1)}), "");
    EXPECT_EQ(call("reverse", kString, {s("hé中")}), "中éh");
    EXPECT_EQ(
        call("replace", kString, {s("http://www.baidu.com:9090"), s("9090"), s("")}),
        "http://www.baidu.com:"
    );
    EXPECT_EQ(call("replace", kString, {s("abc"), s(""), s("x")}), "abc");
    EXPECT_EQ(call("upper", kString, {s("aBc123é")}), "ABC123É");
    EXPECT_EQ(call("lower", kString, {s("AbC123Я")}), "abc123я");
    EXPECT_EQ(
        call("initcap", kString, {s("hello hello.,HELLO123HELlo")}), "Hello Hello.,Hello123hello"
    );
    EXPECT_EQ(call("hex", kString, {b(12)}), "C");
    EXPECT_EQ(call("hex", kString, {b(-1)}), "FFFFFFFFFFFFFFFF");
    EXPECT_EQ(call("hex", kString, {s("@")}), "40");
    EXPECT_EQ(call("unhex", kString, {s("41")}), "A");
    EXPECT_EQ(call("unhex", kString, {s("@")}), "");
    EXPECT_EQ(call("to_base64", kString, {s("1")}), "MQ==");
    EXPECT_EQ(call("from_base64", kString, {s("MjM0")}), "234");
    EXPECT_EQ(call("char", kString, {i(68), i(111), i(114), i(105), i(115)}), "Doris");
    EXPECT_EQ(call("mask", kString, {s("abc123EFG")}), "xxxnnnXXX");
    EXPECT_EQ(
        call("sub_replace", kString, {s("this is origin str"), s("NEW-STR"), i(1)}),
        "tNEW-STRorigin str"
    );
    EXPECT_EQ(call("money_format", kString, {{DataType::decimal(17, 3), "1123.456"}}), "1,123.46");
    EXPECT_EQ(call("money_format", kString, {b(17014116)}), "17,014,116.00");
}

TEST_F(FunctionTest, SearchingTexts) {
    EXPECT_EQ(call("length", kInt, {s("中国")}), "6");
    EXPECT_EQ(call("char_length", kInt, {s("中国")}), "2");
    EXPECT_EQ(call("instr", kInt, {s("abc"), s("b")}), "2");
    EXPECT_EQ(call("instr", kInt, {s("abc"), s("d")}), "0");
    EXPECT_EQ(call("locate", kInt, {s("bar"), s("foobarbar"), i(5)}), "7");
    EXPECT_EQ(call("locate", kInt, {s(""), s("foobar")}), "1");
    EXPECT_EQ(call("find_in_set", kInt, {s("b"), s("a,b,c")}), "2");
    EXPECT_EQ(call("field", kInt, {s("2"), s("3"), s("1"), s("2")}), "3");
    EXPECT_EQ(call("ascii", kInt, {s("abc")}), "97");
    EXPECT_EQ(call("starts_with", kBoolean, {s("hello world"), s("hello")}), "1");
    EXPECT_EQ(call("strcmp", kTinyint, {s("test1"), s("test2")}), "-1");
    EXPECT_EQ(
        call(
            "parse_url", kString, {s("https://doris.apache.org/docs?a=1&b=2#x"), s("QUERY"), s("b")}
        ),
        "2"
    );
    EXPECT_EQ(
        call("parse_url", kString, {s("https://doris.apache.org:8080/docs"), s("HOST")}),
        "doris.apache.org"
    );
}

TEST_F(FunctionTest, Digests) {
    EXPECT_EQ(call("md5", kString, {s("abc")}), "900150983cd24fb0d6963f7d28e17f72");
    EXPECT_EQ(call("sha1", kString, {s("abc")}), "a9993e364706816aba3e25717850c26c9cd0d89d");
    EXPECT_EQ(
        call("sha2", kString, {s("abc"), i(224)}),
        "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"
    );
    EXPECT_EQ(
        call("sm3", kString, {s("abc")}),
        "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"
    );
    EXPECT_EQ(call("crc32", kBigint, {s("DORIS")}), "348606243");
    EXPECT_EQ(call("murmur_hash3_32", kInt, {s("hello")}), "1321743225");
    EXPECT_EQ(call("murmur_hash3_64", kBigint, {s("hello")}), "-3215607508166160593");
    EXPECT_EQ(call("xxhash_32", kInt, {s("hello")}), "-83855367");
    EXPECT_EQ(call("xxhash_64", kBigint, {s("hello")}), "-7685981735718036227");
}

TEST_F(FunctionTest, Ciphers) {
    const ColumnPtr text = texts({"text"});
    const auto run = [&](const char* name, const ColumnPtr& input) {
        const std::vector<DataType> types{kString, kString};
        const std::vector<ColumnPtr> arguments{input, texts({"F3229A0B371ED2D9441B830D21A390C3"})};
        const std::vector<ColumnPtr> constants(2);
        return registries_.scalar.find(name)
            ->factory({name, types, constants, kString})
            .take()({arguments, kString, 1, context_})
            .take();
    };
    const ColumnPtr cipher = run("aes_encrypt", text);
    EXPECT_EQ(value_text(*cipher, 0).size(), 16U);
    EXPECT_EQ(value_text(*run("aes_decrypt", cipher), 0), "text");
    EXPECT_EQ(value_text(*run("sm4_decrypt", run("sm4_encrypt", text)), 0), "text");
    EXPECT_EQ(value_text(*run("aes_decrypt", text), 0), "NULL");
    // FIPS 197, appendix B, under a 16-byte key that folding leaves alone.
    const std::string key = "\x2b\x7e\x15\x16\x28\xae\xd2\xa6\xab\xf7\x15\x88\x09\xcf\x4f\x3c";
    const std::string plain = "\x32\x43\xf6\xa8\x88\x5a\x30\x8d\x31\x31\x98\xa2\xe0\x37\x07\x34";
    EXPECT_EQ(call("aes_encrypt", kString, {s(plain), s(key)}).substr(0, 4), "\x39\x25\x84\x1d");
    EXPECT_EQ(call("aes_encrypt", kString, {s("x"), s("k"), s(""), s("AES_1_ECB")}), "NULL");
    EXPECT_EQ(call("digital_masking", kString, {b(13812345678)}), "138****5678");
}

TEST_F(FunctionTest, PartsOfDates) {
    EXPECT_EQ(call("year", kSmallint, {d("1998-12-01")}), "1998");
    EXPECT_EQ(call("month", kTinyint, {t("1998-12-01 01:02:03")}), "12");
    EXPECT_EQ(call("quarter", kTinyint, {d("2020-04-01")}), "2");
    EXPECT_EQ(call("dayofweek", kTinyint, {d("2019-06-25")}), "3");
    EXPECT_EQ(call("weekday", kTinyint, {d("2019-06-25")}), "1");
    EXPECT_EQ(call("dayofyear", kSmallint, {d("2007-02-03")}), "34");
    EXPECT_EQ(call("dayname", kString, {d("2007-02-03")}), "Saturday");
    EXPECT_EQ(call("monthname", kString, {d("2008-02-03")}), "February");
    EXPECT_EQ(call("last_day", kDate, {d("2000-02-03")}), "2000-02-29");
    EXPECT_EQ(call("to_days", kInt, {d("2007-10-07")}), "733321");
    EXPECT_EQ(call("from_days", kDate, {i(730669)}), "2000-07-03");
    EXPECT_EQ(call("to_monday", kDate, {d("2022-09-10")}), "2022-09-05");
    EXPECT_EQ(call("makedate", kDate, {i(2021), i(60)}), "2021-03-01");
    EXPECT_EQ(call("makedate", kDate, {i(2021), i(0)}), "NULL");
    EXPECT_EQ(call("hour", kTinyint, {t("2018-12-31 23:59:58")}), "23");
    EXPECT_EQ(call("second", kTinyint, {t("2018-12-31 23:59:58")}), "58");
    EXPECT_EQ(call("week", kTinyint, {d("2020-01-01")}), "0");
    EXPECT_EQ(call("week", kTinyint, {d("2020-07-01"), i(1)}), "27");
    EXPECT_EQ(call("week", kTinyint, {d("2000-01-01"), i(2)}), "52");
    EXPECT_EQ(call("weekofyear", kTinyint, {d("2008-02-20")}), "8");
    EXPECT_EQ(call("yearweek", kInt, {d("2021-01-01")}), "202052");
    EXPECT_EQ(call("yearweek", kInt, {d("1987-01-01")}), "198652");
    EXPECT_EQ(call("yearweek", kInt, {d("2020-12-30"), i(3)}), "202053");
}

TEST_F(FunctionTest, MovingDates) {
    EXPECT_EQ(call("months_add", kDate, {d("2010-11-30"), i(3)}), "2011-02-28");
    EXPECT_EQ(call("years_sub", kDate, {d("2020-02-29"), i(1)}), "2019-02-28");
    EXPECT_EQ(
        call("days_add", DataType::datetime(0), {t("2010-11-30 23:59:59"), i(2)}),
        "2010-12-02 23:59:59"
    );
    EXPECT_EQ(
        call("hours_add", DataType::datetime(0), {t("2020-02-02 02:02:02"), i(-3)}),
        "2020-02-01 23:02:02"
    );
    EXPECT_EQ(call("quarters_add", kDate, {d("2020-01-31"), i(1)}), "2020-04-30");
    const std::string beyond = call("days_add", kDate, {d("9999-12-31"), i(1)});
    EXPECT_EQ(beyond.substr(beyond.size() - 12), "out of range");
    EXPECT_EQ(call("datediff", kInt, {t("2007-12-31 23:59:59"), t("2007-12-30 00:00:00")}), "1");
    EXPECT_EQ(
        call("months_diff", kBigint, {t("2003-05-01 00:00:00"), t("2003-02-01 00:00:00")}), "3"
    );
    EXPECT_EQ(
        call("months_diff", kBigint, {t("2003-04-30 00:00:00"), t("2003-02-01 00:00:00")}), "2"
    );
    EXPECT_EQ(
        call("years_diff", kBigint, {t("2001-05-01 00:00:00"), t("2002-05-01 00:00:00")}), "-1"
    );
    EXPECT_EQ(
        call("minutes_diff", kBigint, {t("2003-05-01 12:05:55"), t("2003-02-01 00:00:00")}),
        "128885"
    );
    EXPECT_EQ(
        call("timediff", kTime, {t("2019-01-01 00:00:00"), t("2019-01-02 00:00:00")}), "-24:00:00"
    );
    EXPECT_EQ(
        call("date_trunc", DataType::datetime(0), {t("2010-12-02 19:28:30"), s("month")}),
        "2010-12-01 00:00:00"
    );
    EXPECT_EQ(
        call("date_trunc", DataType::datetime(0), {t("2023-04-05 19:28:30"), s("WEEK")}),
        "2023-04-03 00:00:00"
    );
    EXPECT_EQ(call("date_trunc", kDate, {d("2023-05-17"), s("quarter")}), "2023-04-01");
    EXPECT_EQ(
        call("hour_floor", DataType::datetime(0), {t("2023-07-13 22:28:18"), i(5)}),
        "2023-07-13 18:00:00"
    );
    EXPECT_EQ(
        call("month_ceil", DataType::datetime(0), {t("2023-07-13 22:28:18"), i(5)}),
        "2023-12-01 00:00:00"
    );
    EXPECT_EQ(
        call("week_ceil", DataType::datetime(0), {t("2023-07-13 22:28:18")}), "2023-07-17 00:00:00"
    );
}

TEST_F(FunctionTest, FormattingDates) {
    EXPECT_EQ(
        call("date_format", kString, {t("2009-10-04 22:23:00"), s("%W %M %Y")}),
        "Sunday October 2009"
    );
    EXPECT_EQ(call("date_format", kString, {t("2007-10-04 22:23:00"), s("%H:%i:%s")}), "22:23:00");
    EXPECT_EQ(
        call("date_format", kString, {t("1900-10-04 22:23:00"), s("%D %y %a %d %m %b %j")}),
        "4th 00 Thu 04 10 Oct 277"
    );
    EXPECT_EQ(
        call("date_format", kString, {t("1997-10-04 22:23:00"), s("%H %k %I %r %T %S %w")}),
        "22 22 10 10:23:00 PM 22:23:00 00 6"
    );
    EXPECT_EQ(call("date_format", kString, {d("1999-01-01"), s("%X %V")}), "1998 52");
    EXPECT_EQ(call("date_format", kString, {t("2020-01-02 00:00:00"), s("yyyyMMdd")}), "20200102");
    const DataType moment = DataType::datetime(0);
    EXPECT_EQ(
        call("str_to_date", moment, {s("2014-12-21 12:34:56"), s("%Y-%m-%d %H:%i:%s")}),
        "2014-12-21 12:34:56"
    );
    EXPECT_EQ(
        call("str_to_date", moment, {s("200442 Monday"), s("%X%V %W")}), "2004-10-18 00:00:00"
    );
    EXPECT_EQ(call("str_to_date", moment, {s("2020-09-01"), s("%Y-%m-%d %H:%i:%s")}), "NULL");
    EXPECT_EQ(
        call("str_to_date", moment, {s("2014-12-21 12:34%3A56"), s("%Y-%m-%d %H:%i%%3A%s")}),
        "2014-12-21 12:34:56"
    );
    EXPECT_EQ(call("str_to_date", kDate, {s("December 21, 2014"), s("%M %d, %Y")}), "2014-12-21");
    context_.time_zone = TimeZone::load("Asia/Shanghai").take();
    EXPECT_EQ(call("from_unixtime", kString, {b(1196440219)}), "2007-12-01 00:30:19");
    EXPECT_EQ(call("from_unixtime", kString, {b(1196440219), s("yyyy-MM-dd")}), "2007-12-01");
    EXPECT_EQ(call("from_unixtime", kString, {b(253402272000)}), "NULL");
    EXPECT_EQ(call("unix_timestamp", kBigint, {t("2007-11-30 10:30:19")}), "1196389819");
    EXPECT_EQ(call("unix_timestamp", kBigint, {t("1969-01-01 00:00:00")}), "0");
    EXPECT_EQ(
        call(
            "convert_tz",
            moment,
            {t("2019-08-01 13:21:03"), s("Asia/Shanghai"), s("america/Los_Angeles")}
        ),
        "2019-07-31 22:21:03"
    );
    EXPECT_EQ(
        call("convert_tz", moment, {t("2019-08-01 13:21:03"), s("+08:00"), s("UTC")}),
        "2019-08-01 05:21:03"
    );
    EXPECT_EQ(
        call("convert_tz", moment, {t("2019-08-01 13:21:03"), s("Nowhere/None"), s("UTC")}), "NULL"
    );
}

TEST_F(FunctionTest, Mathematics) {
    const DataType two = DataType::decimal(10, 2);
    EXPECT_EQ(call("round", kDouble, {r("2.5")}), "3");
    EXPECT_EQ(call("round", kDouble, {r("-2.5")}), "-3");
    EXPECT_EQ(
        call("round", DataType::decimal(5, 0), {{DataType::decimal(5, 3), "16.025"}, i(-1)}), "20"
    );
    EXPECT_EQ(call("round", two, {{DataType::decimal(10, 3), "1.005"}, i(2)}), "1.01");
    EXPECT_EQ(call("round_bankers", DataType::decimal(10, 0), {{two, "2.50"}}), "2");
    EXPECT_EQ(call("truncate", two, {{DataType::decimal(10, 3), "-1.999"}, i(2)}), "-1.99");
    EXPECT_EQ(call("ceil", DataType::decimal(10, 0), {{two, "-1.50"}}), "-1");
    EXPECT_EQ(call("floor", DataType::decimal(10, 0), {{two, "-1.50"}}), "-2");
    EXPECT_EQ(call("floor", kDouble, {r("123.456"), i(2)}), "123.45");
    EXPECT_EQ(call("abs", kBigint, {i(-2147483648)}), "2147483648");
    EXPECT_EQ(call("abs", two, {{two, "-1.50"}}), "1.50");
    EXPECT_EQ(call("sqrt", kDouble, {r("-1")}), "NULL");
    EXPECT_EQ(call("power", kDouble, {r("2"), r("10")}), "1024");
    EXPECT_EQ(call("ln", kDouble, {r("0")}), "NULL");
    EXPECT_EQ(call("log", kDouble, {r("2"), r("65536")}), "16");
    EXPECT_EQ(call("bin", kString, {b(13)}), "1101");
    EXPECT_EQ(call("conv", kString, {s("ff"), {kTinyint, "16"}, {kTinyint, "10"}}), "255");
    EXPECT_EQ(call("conv", kString, {b(-17), {kTinyint, "10"}, {kTinyint, "-18"}}), "-H");
    EXPECT_EQ(call("greatest", kInt, {i(-1), i(0), i(5)}), "5");
    EXPECT_EQ(call("least", kString, {s("b"), s("a")}), "a");
    EXPECT_EQ(call("greatest", kInt, {i(-1), {kInt, null}}), "NULL");
    EXPECT_EQ(call("width_bucket", kBigint, {r("3.5"), r("0"), r("10"), b(5)}), "2");
    EXPECT_EQ(call("sign", kTinyint, {r("-0.5")}), "-1");
}

TEST_F(FunctionTest, Json) {
    const DataType json = DataType::of(TypeId::kJson);
    const auto j = [json](const std::string& text) { return Argument{json, text}; };
    EXPECT_EQ(cast(kString, " {\"k1\": \"v31\", \"k2\": 300} ", json), R"({"k1":"v31","k2":300})");
    EXPECT_EQ(cast(kString, "{bad", json), "NULL");
    EXPECT_EQ(cast(json, "12", kInt), "12");
    EXPECT_EQ(cast(json, "\"12\"", kInt), "12");
    EXPECT_EQ(cast(json, "null", kInt), "NULL");
    const std::string document = R"({"a.b":{"c":[1,2.5,"x"]},"d":true,"e":null})";
    EXPECT_EQ(call("json_extract", json, {j(document), s("$.\"a.b\".c[1]")}), "2.5");
    EXPECT_EQ(
        call("json_extract", json, {j(document), s("$.d"), s("$.none"), s("$.\"a.b\".c[2]")}),
        R"([true,"x"])"
    );
    EXPECT_EQ(call("json_extract", json, {j(document), s("$.none")}), "NULL");
    EXPECT_EQ(call("get_json_string", kString, {s(document), s("$.\"a.b\".c[2]")}), "x");
    EXPECT_EQ(call("get_json_int", kInt, {s(document), s("$.\"a.b\".c[0]")}), "1");
    EXPECT_EQ(call("get_json_double", kDouble, {s(document), s("$.\"a.b\".c[1]")}), "2.5");
    EXPECT_EQ(call("get_json_string", kString, {s("not json"), s("$.a")}), "NULL");
    EXPECT_EQ(call("json_length", kInt, {j(document)}), "3");
    EXPECT_EQ(call("json_type", kString, {j(document), s("$.d")}), "bool");
    EXPECT_EQ(call("json_contains", kBoolean, {j(document), j("{\"d\":true}")}), "1");
    EXPECT_EQ(call("json_contains", kBoolean, {j("[1,2,3]"), j("[1,4]")}), "0");
    EXPECT_EQ(call("json_quote", kString, {s("a\"b")}), "\"a\\\"b\"");
    EXPECT_EQ(call("json_unquote", kString, {s("\"a\\tb\"")}), "a\tb");
    EXPECT_EQ(
        call("json_array", json, {i(1), s("x"), {kInt, null}, r("1.5")}), R"([1,"x",null,1.5])"
    );
    EXPECT_EQ(call("json_object", json, {s("k"), i(1), s("l"), s("v")}), R"({"k":1,"l":"v"})");
    EXPECT_NE(
        call("json_parse", json, {s("{")}).find("Parse json document failed"), std::string::npos
    );
}

TEST_F(FunctionTest, RandomNumbersDifferUnlessSeeded) {
    const std::string first = call("random", kDouble, {});
    EXPECT_NE(call("random", kDouble, {}), first);
    context_ = EvalContext();
    EXPECT_NE(call("random", kDouble, {}), first);
    EXPECT_EQ(call("random", kDouble, {b(7)}), call("random", kDouble, {b(7)}));
    EXPECT_EQ(call("random", kBigint, {b(3), b(4)}), "3");
    EXPECT_FALSE(call("random", kBigint, {b(4), b(4)}).find("lower bound") == std::string::npos);
}

TEST_F(FunctionTest, Conditionals) {
    EXPECT_EQ(call("if", kInt, {{kBoolean, null}, i(1), i(2)}), "2");
    EXPECT_EQ(call("ifnull", kString, {s(null), s("x")}), "x");
    EXPECT_EQ(call("coalesce", kInt, {{kInt, null}, {kInt, null}, i(3)}), "3");
    EXPECT_EQ(call("nullif", kInt, {i(3), i(3)}), "NULL");
    EXPECT_EQ(call("nullif", kInt, {i(3), {kInt, null}}), "3");
    EXPECT_EQ(call("eq_for_null", kBoolean, {{kInt, null}, {kInt, null}}), "1");
    EXPECT_EQ(call("eq_for_null", kBoolean, {{kInt, null}, i(0)}), "0");
    EXPECT_EQ(call("null_or_empty", kBoolean, {s("")}), "1");
    EXPECT_EQ(call("eq", kBoolean, {r("nan"), r("nan")}), "1");
    EXPECT_EQ(call("lt", kBoolean, {r("inf"), r("nan")}), "1");
    EXPECT_EQ(call("bit_shift_right", kBigint, {b(-1), b(60)}), "15");
}

}  // namespace

}  // namespace thetis
