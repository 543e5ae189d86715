// SPDX-License-Identifier: Apache-2.0
#include <random>

#include <gtest/gtest.h>

#include "format/csv/csv_options.h"
#include "format/row_reader_factory.h"

namespace thetis {
namespace {

/// Keeps what a reader refused.
class CollectedBadRows final : public BadRowListener {
public:
    void bad_row(int64_t row_number, std::string_view reason, std::string_view row_text) override {
        rows.push_back(fmt::format("{}|{}|{}", row_number, reason, row_text));
    }

    std::vector<std::string> rows;
};

using Properties = std::map<std::string, std::string>;

/// All rows as text, fields joined by '|', NULL as '~'; bad rows go to `bad`.
std::vector<std::string> read_all(
    RowReader& reader, std::string_view text, const std::vector<size_t>& cuts, size_t num_columns
) {
    std::vector<std::string> rows;
    auto drain = [&] {
        for (;;) {
            Batch batch;
            auto more = reader.next(batch);
            ASSERT_TRUE(more.ok()) << more.status().to_string();
            if (!*more) {
                return;
            }
            ASSERT_EQ(batch.columns.size(), num_columns + 2);
            for (uint32_t row = 0; row < batch.num_rows; ++row) {
                std::string line;
                for (size_t i = 0; i < num_columns; ++i) {
                    const Column& column = *batch.columns[i];
                    line +=
                        (i == 0 ? "" : "|") +
                        (column.is_null(row) ? std::string("~")
                                             : std::string(column.values<StringRef>()[row].view()));
                }
                rows.push_back(line);
            }
        }
    };
    size_t begin = 0;
    for (size_t cut : cuts) {
        EXPECT_TRUE(reader.feed(text.substr(begin, cut - begin)).ok());
        begin = cut;
        drain();
    }
    EXPECT_TRUE(reader.feed(text.substr(begin)).ok());
    drain();
    EXPECT_TRUE(reader.finish_input().ok());
    drain();
    return rows;
}

struct Outcome {
    std::vector<std::string> rows;
    std::vector<std::string> bad;
};

Outcome read(
    const std::string& format,
    const Properties& properties,
    std::vector<std::string> columns,
    std::string_view text,
    const std::vector<size_t>& cuts = {},
    uint32_t batch_rows = 4096
) {
    CollectedBadRows bad;
    size_t num_columns = columns.size();
    auto reader = make_row_reader({format, properties, std::move(columns), batch_rows}, bad);
    EXPECT_TRUE(reader.ok()) << reader.status().to_string();
    Outcome outcome;
    if (reader.ok()) {
        outcome.rows = read_all(**reader, text, cuts, num_columns);
    }
    outcome.bad = bad.rows;
    return outcome;
}

using Rows = std::vector<std::string>;

TEST(CsvReader, SplitsRowsAndFields) {
    auto outcome =
        read("csv", {}, {"a", "b"}, "1\tx\n2\t\\N\n\n3\tlonger than twelve bytes\r\n4\t");
    EXPECT_EQ(outcome.rows, (Rows{"1|x", "2|~", "3|longer than twelve bytes", "4|"}));
    EXPECT_TRUE(outcome.bad.empty());
}

TEST(CsvReader, ReportsBadRowsWithNumberAndReason) {
    auto outcome =
        read("csv", {{"column_separator", ","}}, {"a", "b"}, "1,2\n1\n1,2,3\n\xff\xfe,x\n5,6\n");
    EXPECT_EQ(outcome.rows, (Rows{"1|2", "5|6"}));
    ASSERT_EQ(outcome.bad.size(), 3U);
    EXPECT_NE(
        outcome.bad[0].find("2|actual column number in csv file is less than"), std::string::npos
    ) << outcome.bad[0];
    EXPECT_NE(
        outcome.bad[1].find("3|actual column number in csv file is more than"), std::string::npos
    ) << outcome.bad[1];
    EXPECT_NE(outcome.bad[2].find("4|the row is not encoded in UTF-8"), std::string::npos)
        << outcome.bad[2];
}

TEST(CsvReader, TakesSeparatorsOfManyBytes) {
    EXPECT_EQ(
        read(
            "csv",
            {{"column_separator", "||"}, {"line_delimiter", "##"}},
            {"a", "b"},
            "1||2##3||\\N##"
        )
            .rows,
        (Rows{"1|2", "3|~"})
    );
    EXPECT_EQ(
        read(
            "csv",
            {{"column_separator", "\\x01"}},
            {"a", "b"},
            "1\x01"
            "2\n"
        )
            .rows,
        (Rows{"1|2"})
    );
}

TEST(CsvReader, Encloses) {
    Properties quoted{
        {"column_separator", ","},
        {"enclose", "\""},
        {"escape", "\\"},
        {"trim_double_quotes", "true"}
    };
    EXPECT_EQ(
        read("csv", quoted, {"a", "b"}, "\"x,y\",\"1\n2\"\n\"a\"\"b\",\"c\\\"d\"\n").rows,
        (Rows{"x,y|1\n2", "a\"b|c\"d"})
    );
    Properties single{{"column_separator", ","}, {"enclose", "'"}};
    EXPECT_EQ(
        read("csv", single, {"a", "b"}, "'x,y',z\r\nplain,'q'").rows, (Rows{"x,y|z", "plain|q"})
    );
    auto open_ended = read("csv", single, {"a", "b"}, "1,2\n'never closed,x\n");
    EXPECT_EQ(open_ended.rows, (Rows{"1|2"}));
    EXPECT_EQ(open_ended.bad.size(), 1U);
}

TEST(CsvReader, TrimsQuotesAndSkipsLines) {
    EXPECT_EQ(
        read(
            "csv",
            {{"column_separator", ","}, {"trim_double_quotes", "true"}},
            {"a", "b"},
            "\"1\",\"x\"\n"
        )
            .rows,
        (Rows{"1|x"})
    );
    EXPECT_EQ(read("csv", {{"skip_lines", "2"}}, {"a"}, "h1\nh2\n1\n").rows, (Rows{"1"}));
    EXPECT_EQ(read("csv_with_names_and_types", {}, {"a"}, "a\nint\n1\n").rows, (Rows{"1"}));
}

TEST(CsvReader, RefusesBadOptions) {
    CollectedBadRows bad;
    for (const Properties& properties :
         {Properties{{"column_separator", "\\xZZ"}},
          Properties{{"enclose", "ab"}},
          Properties{{"skip_lines", "-1"}},
          Properties{{"column_separator", ","}, {"line_delimiter", ","}}}) {
        EXPECT_EQ(
            make_row_reader({"csv", properties, {"a"}}, bad).status().code(),
            ErrorCode::kInvalidArgument
        );
    }
    EXPECT_EQ(
        make_row_reader({"parquet", {}, {"a"}}, bad).status().code(), ErrorCode::kNotSupported
    );
}

TEST(CsvReader, GivesTheSameRowsForAnySplitOfTheStream) {
    std::string text;
    for (int i = 0; i < 300; ++i) {
        text += fmt::format(
            "{},'v,{}\n{}',{}\n",
            i,
            i,
            std::string(static_cast<size_t>(i % 40), 'z'),
            i % 7 == 0 ? "\\N" : "tail"
        );
    }
    Properties properties{{"column_separator", ","}, {"enclose", "'"}};
    auto whole = read("csv", properties, {"a", "b", "c"}, text);
    ASSERT_EQ(whole.rows.size(), 300U);
    std::mt19937 random(20240607);
    for (int round = 0; round < 20; ++round) {
        std::vector<size_t> cuts;
        for (size_t at = 0; at < text.size();) {
            at += 1 + random() % 200;
            cuts.push_back(std::min(at, text.size()));
        }
        auto pieces = read("csv", properties, {"a", "b", "c"}, text, cuts, 1 + random() % 50);
        EXPECT_EQ(pieces.rows, whole.rows) << "round " << round;
        EXPECT_TRUE(pieces.bad.empty());
    }
}

TEST(CsvReader, SurvivesRandomBytes) {
    std::mt19937 random(7);
    const std::string alphabet = "a,\"'\\\n\r\t\xff\x80N1";
    for (int round = 0; round < 300; ++round) {
        std::string text;
        for (uint32_t i = random() % 400; i > 0; --i) {
            text.push_back(alphabet[random() % alphabet.size()]);
        }
        Properties properties{{"column_separator", ","}};
        if (round % 2 == 0) {
            properties.insert({{"enclose", "\""}, {"escape", "\\"}, {"trim_double_quotes", "true"}}
            );
        }
        read("csv", properties, {"a", "b"}, text, {text.size() / 3, text.size() / 2});
    }
}

TEST(JsonReader, ReadsLines) {
    Properties lines{{"read_json_by_line", "true"}};
    auto outcome = read(
        "json",
        lines,
        {"a", "b", "c"},
        "{\"a\":1,\"b\":\"x\\ny\",\"c\":null}\n\n{\"c\":[1, "
        "2],\"b\":true,\"a\":12345678901234567890123,\"unknown\":{}}\n{\"a\":1.50}"
    );
    EXPECT_EQ(outcome.rows, (Rows{"1|x\ny|~", "12345678901234567890123|1|[1, 2]", "1.50|~|~"}));
    EXPECT_TRUE(outcome.bad.empty());
}

TEST(JsonReader, ReportsBadLines) {
    auto outcome = read(
        "json",
        {{"read_json_by_line", "true"}},
        {"a"},
        "{\"a\":1}\n{\"a\":\nnonsense\n[1]\n{\"a\":2} x\n{\"a\":3}\n"
    );
    EXPECT_EQ(outcome.rows, (Rows{"1", "3"}));
    EXPECT_EQ(outcome.bad.size(), 4U);
}

TEST(JsonReader, ReadsArraysPathsAndRoots) {
    Properties array{{"strip_outer_array", "true"}};
    EXPECT_EQ(
        read("json", array, {"a", "b"}, "[{\"a\":1,\"b\":2},\n {\"b\":4,\"a\":3}]").rows,
        (Rows{"1|2", "3|4"})
    );
    Properties paths = array;
    paths["jsonpaths"] = "[\"$.x.y\", \"$.z[1]\", \"$.none\"]";
    EXPECT_EQ(
        read("json", paths, {"a", "b", "c"}, "[{\"z\":[7,8],\"x\":{\"y\":\"q\"}},{\"x\":1}]").rows,
        (Rows{"q|8|~", "~|~|~"})
    );
    Properties root = array;
    root["json_root"] = "$.data.rows";
    EXPECT_EQ(
        read("json", root, {"a"}, "{\"data\":{\"rows\":[{\"a\":1},{\"a\":2}]}}").rows,
        (Rows{"1", "2"})
    );
    EXPECT_EQ(read("json", {}, {"a"}, "{\n\"a\" : 5\n}").rows, (Rows{"5"}));
    EXPECT_EQ(read("json", {}, {"a"}, "{\"a\":5}\n{\"a\":6}").rows, (Rows{"5", "6"}));
}

TEST(JsonReader, FillsBatchesOfAnySizeFromOneArray) {
    std::string text = "[";
    Rows expected;
    for (int i = 0; i < 100; ++i) {
        std::string value = fmt::format("value number {} is \\\"long\\\"", i);
        text += fmt::format("{}{{\"a\":\"{}\"}}", i == 0 ? "" : ",", value);
        expected.push_back(fmt::format("value number {} is \"long\"", i));
    }
    text += "]";
    EXPECT_EQ(
        read("json", {{"strip_outer_array", "true"}}, {"a"}, text, {10, 20}, 7).rows, expected
    );
}

TEST(JsonReader, RefusesTheWrongOuterForm) {
    EXPECT_EQ(read("json", {{"strip_outer_array", "true"}}, {"a"}, "{\"a\":1}").bad.size(), 1U);
    EXPECT_EQ(read("json", {}, {"a"}, "[{\"a\":1}]").bad.size(), 1U);
    EXPECT_GE(
        read("json", {{"strip_outer_array", "true"}}, {"a"}, "[{\"a\":1},{\"a\":").bad.size(), 1U
    );
    CollectedBadRows bad;
    EXPECT_FALSE(make_row_reader({"json", {{"jsonpaths", "{}"}}, {"a"}}, bad).ok());
    EXPECT_FALSE(make_row_reader({"json", {{"jsonpaths", "[\"$.a[\"]"}}, {"a"}}, bad).ok());
}

TEST(JsonReader, RefusesABodyOverTheLimit) {
    CollectedBadRows bad;
    auto reader = make_row_reader({"json", {}, {"a"}, 4096, 10}, bad);
    ASSERT_TRUE(reader.ok());
    EXPECT_EQ((*reader)->feed("{\"a\": \"more than ten\"}").code(), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace thetis
