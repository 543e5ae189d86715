// SPDX-License-Identifier: Apache-2.0
#include "exec/sink/load_project.h"

#include <gtest/gtest.h>

#include "column/builder.h"
#include "exec/testing/plan_literals.h"
#include "functions/registries.h"

namespace thetis {

namespace {

class CollectedErrors final : public RowErrors {
public:
    void reject(int64_t row_number, std::string_view reason, std::string_view row_text) override {
        rejected.emplace_back(row_number, std::string(reason) + " <" + std::string(row_text) + ">");
    }

    void add_unselected(int64_t num_rows) override { unselected += num_rows; }

    std::vector<std::pair<int64_t, std::string>> rejected;
    int64_t unselected = 0;
};

/// Source columns a, b as text; table columns a INT NOT NULL, b VARCHAR(3).
struct Load {
    Load(bool strict, std::vector<std::pair<std::string, std::string>> rows)
        : errors(std::make_shared<CollectedErrors>()) {
        auto functions = FunctionRegistries::create();
        auto text = DataType::varchar();
        wire::Expr cast;
        cast.node.__set_cast(wire::Cast());
        cast.type = testing::wire_type(DataType::of(TypeId::kInt));
        cast.__set_children({testing::slot(0, text)});
        auto spec = std::make_shared<LoadProjectSpec>();
        spec->expressions = {
            compile(cast, functions).take(), compile(testing::slot(1, text), functions).take()
        };
        spec->source_of = {0, 1};
        spec->columns = {{"a", DataType::of(TypeId::kInt, false)}, {"b", DataType::varchar(3)}};
        spec->where = compile(
                          testing::call(
                              "gt",
                              testing::boolean(),
                              {testing::slot(0, DataType::of(TypeId::kInt)),
                               testing::literal(0, DataType::of(TypeId::kInt))}
                          ),
                          functions
        )
                          .take();
        spec->strict_mode = strict;
        auto builders = make_builders(
            std::vector<DataType>{text, text, DataType::of(TypeId::kBigint, false), text}
        );
        int64_t number = 0;
        for (const auto& [a, b] : rows) {
            if (a == "\\N") {
                builders[0].append_null();
            } else {
                builders[0].append_string(a);
            }
            builders[1].append_string(b);
            builders[2].append<int64_t>(++number);
            builders[3].append_string(a + "," + b);
        }
        LoadProjectOperator op(spec, errors, {});
        status = op.accept(finish_batch(builders));
        if (status.ok()) {
            auto poll = op.next(output);
            status = poll.status();
        }
    }

    std::shared_ptr<CollectedErrors> errors;
    Status status;
    Batch output;
};

}  // namespace

TEST(LoadProject, BadRowsAreReportedAndLeftOut) {
    Load load(
        true,
        {{"1", "x"}, {"no number", "y"}, {"\\N", "z"}, {"4", "too long"}, {"-5", "w"}, {"6", "v"}}
    );
    ASSERT_TRUE(load.status.ok()) << load.status.to_string();
    EXPECT_EQ(load.output.num_selected(), 2U);
    EXPECT_EQ(load.errors->unselected, 1);
    ASSERT_EQ(load.errors->rejected.size(), 3U);
    EXPECT_EQ(load.errors->rejected[0].first, 2);
    EXPECT_EQ(
        load.errors->rejected[0].second,
        "column(a) value is incorrect while strict mode is true, src value is no number <no "
        "number,y>"
    );
    EXPECT_EQ(
        load.errors->rejected[1].second,
        "column(a) values is null while columns is not nullable <\\N,z>"
    );
    EXPECT_EQ(load.errors->rejected[2].first, 4);
}

TEST(LoadProject, WithoutStrictModeAFailedConversionIsNull) {
    Load load(false, {{"1", "x"}, {"no number", "y"}});
    ASSERT_TRUE(load.status.ok()) << load.status.to_string();
    EXPECT_EQ(load.output.num_selected(), 1U);
    ASSERT_EQ(load.errors->rejected.size(), 1U);
    EXPECT_EQ(
        load.errors->rejected[0].second,
        "column(a) values is null while columns is not nullable <no number,y>"
    );
}

}  // namespace thetis
