// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "column/testing/columns.h"
#include "functions/registries.h"

namespace thetis {

namespace {

using testing::as_dictionary;
using testing::bigints;
using testing::doubles;
using testing::ints;
using testing::null;
using testing::parsed;
using testing::rows_of;
using testing::texts;
using Rows = std::vector<std::string>;

const DataType kBigint = DataType::of(TypeId::kBigint);
const DataType kDouble = DataType::of(TypeId::kDouble);
const DataType kInt = DataType::of(TypeId::kInt);
const DataType kString = DataType::of(TypeId::kString);

/// Runs an aggregate three ways, which must agree: grouped, in one group, and through partial
/// states.
class AggregateTest : public ::testing::Test {
protected:
    struct States {
        States(const AggregateFunction& function, size_t count) : function_(function) {
            const size_t stride = (function.state_bytes() + 15) / 16 * 16;
            memory_ = Buffer::allocate(stride * count);
            for (size_t i = 0; i < count; ++i) {
                rows.push_back(reinterpret_cast<char*>(memory_->data()) + i * stride);
                function.create(rows.back());
            }
        }

        ~States() {
            for (char* row : rows) {
                function_.destroy(row);
            }
        }

        States(const States&) = delete;
        States& operator=(const States&) = delete;

        std::vector<char*> rows;

    private:
        const AggregateFunction& function_;
        std::shared_ptr<Buffer> memory_;
    };

    AggregateFunctionPtr bind(
        const std::string& name,
        const DataType& result,
        const DataType& state,
        const std::vector<ColumnPtr>& arguments
    ) {
        std::vector<DataType> types;
        for (const ColumnPtr& argument : arguments) {
            types.push_back(argument->type());
        }
        Result<AggregateFunctionPtr> function =
            registries_.aggregate.bind({name, types, result, state, {}});
        EXPECT_TRUE(function.ok()) << function.status().to_string();
        return function.take();
    }

    std::string single(
        const std::string& name,
        const DataType& result,
        const DataType& state,
        const std::vector<ColumnPtr>& arguments
    ) {
        const AggregateFunctionPtr function = bind(name, result, state, arguments);
        const uint32_t num_rows = arguments.empty() ? 3 : arguments[0]->size();
        const AggregateInput input{arguments, nullptr, num_rows};
        Arena arena;

        States one(*function, 1);
        EXPECT_TRUE(function->update_single(input, one.rows[0], arena).ok());
        const std::string direct = finish(*function, one);

        // Odd and even rows in two groups, whose states are merged into a third.
        States two(*function, 2);
        std::vector<char*> groups;
        for (uint32_t i = 0; i < num_rows; ++i) {
            groups.push_back(two.rows[i * 2 / std::max(num_rows, 1U)]);
        }
        EXPECT_TRUE(function->update(input, groups.data(), 0, arena).ok());
        Result<ColumnPtr> partial = function->states(two.rows.data(), 0, 2);
        EXPECT_TRUE(partial.ok());
        EXPECT_EQ((*partial)->physical(), state.physical());
        States merged(*function, 1);
        const std::vector<char*> target{merged.rows[0], merged.rows[0]};
        const std::vector<ColumnPtr> columns{*partial};
        EXPECT_TRUE(function->merge({columns, nullptr, 2}, target.data(), 0, arena).ok());
        EXPECT_EQ(finish(*function, merged), direct) << name;
        return direct;
    }

    static std::string finish(const AggregateFunction& function, const States& states) {
        const Result<ColumnPtr> result = function.finalize(states.rows.data(), 0, 1);
        return result.ok() ? value_text(**result, 0) : result.status().to_string();
    }

    FunctionRegistries registries_ = FunctionRegistries::create();
};

TEST_F(AggregateTest, CountsAndSums) {
    const ColumnPtr numbers = ints({1, null, 3, 1});
    EXPECT_EQ(single("count", kBigint, kBigint, {}), "3");
    EXPECT_EQ(single("count", kBigint, kBigint, {numbers}), "3");
    EXPECT_EQ(single("sum", kBigint, kBigint, {numbers}), "5");
    EXPECT_EQ(single("sum", kBigint, kBigint, {ints({null, null})}), "NULL");
    EXPECT_EQ(single("sum0", kBigint, kBigint, {ints({null, null})}), "0");
    EXPECT_EQ(single("sum", kDouble, kDouble, {doubles({1.5, 2, null})}), "3.5");
    const DataType sum = DataType::decimal(38, 2);
    EXPECT_EQ(
        single("sum", sum, sum, {parsed(DataType::decimal(15, 2), {"1.25", "-0.50", null})}), "0.75"
    );
    EXPECT_EQ(single("avg", kDouble, kString, {numbers}), "1.6666666666666667");
    EXPECT_EQ(
        single(
            "avg",
            DataType::decimal(38, 4),
            kString,
            {parsed(DataType::decimal(15, 2), {"1.00", "2.00", "2.00"})}
        ),
        "1.6667"
    );
    EXPECT_EQ(
        single(
            "avg", DataType::decimal(38, 4), kString, {parsed(DataType::decimal(15, 2), {null})}
        ),
        "NULL"
    );
}

TEST_F(AggregateTest, FindsExtremes) {
    const std::string longer = "zebra with a very long name";
    const ColumnPtr names = texts({"m", null, longer, "apple of the longest kind"});
    for (const ColumnPtr& column : {names, as_dictionary(names)}) {
        EXPECT_EQ(single("max", kString, kString, {column}), longer);
        EXPECT_EQ(single("min", kString, kString, {column}), "apple of the longest kind");
    }
    EXPECT_EQ(single("min", kInt, kInt, {ints({null, 5, -3})}), "-3");
    EXPECT_EQ(single("max", kInt, kInt, {ints({null})}), "NULL");
    EXPECT_EQ(single("any_value", kInt, kInt, {ints({null, 7, 8})}), "7");
    EXPECT_EQ(
        single("max_by", kString, kString, {texts({"a", "b", "c"}), ints({1, 9, null})}), "b"
    );
    EXPECT_EQ(
        single("min_by", kString, kString, {texts({"a", "b", "c"}), ints({1, 9, null})}), "a"
    );
}

TEST_F(AggregateTest, Statistics) {
    const ColumnPtr x = doubles({1, 2, 3, 4});
    EXPECT_EQ(single("variance", kDouble, kString, {x}), "1.25");
    EXPECT_EQ(single("stddev_samp", kDouble, kString, {doubles({2, 4})}), "1.4142135623730951");
    EXPECT_EQ(single("var_samp", kDouble, kString, {doubles({2})}), "0");
    EXPECT_EQ(single("covar_samp", kDouble, kString, {x, x}).substr(0, 10), "1.66666666");
    EXPECT_EQ(single("corr", kDouble, kString, {x, doubles({5, 5, 5, 5})}), "0");
    EXPECT_EQ(single("percentile", kDouble, kString, {x, doubles({0.5, 0.5, 0.5, 0.5})}), "2.5");
    EXPECT_EQ(single("skew", kDouble, kString, {doubles({3})}), "NULL");
    EXPECT_EQ(
        single("avg_weighted", kDouble, kString, {doubles({10, 20}), doubles({1, 3})}), "17.5"
    );
    const DataType tiny = DataType::of(TypeId::kTinyint);
    EXPECT_EQ(single("group_bit_xor", tiny, tiny, {parsed(tiny, {"3", "5", null})}), "6");
}

TEST_F(AggregateTest, CollectsTexts) {
    EXPECT_EQ(single("group_concat", kString, kString, {texts({"a", null, "b", "a"})}), "a,b,a");
    EXPECT_EQ(
        single("group_concat", kString, kString, {texts({"a", "b"}), texts({"-", "+"})}), "a+b"
    );
    EXPECT_EQ(
        single("multi_distinct_group_concat", kString, kString, {texts({"a", null, "b", "a"})}),
        "a,b"
    );
    EXPECT_EQ(single("multi_distinct_count", kBigint, kString, {ints({1, 1, null, 2})}), "2");
    EXPECT_EQ(
        single("multi_distinct_count", kBigint, kString, {texts({"a", "ab"}), texts({"bc", "c"})}),
        "2"
    );
    EXPECT_EQ(
        single(
            "topn", kString, kString, {texts({"18", "10", "18", null, "7"}), ints({2, 2, 2, 2, 2})}
        ),
        R"({"18":2,"10":1})"
    );
    EXPECT_EQ(single("multi_distinct_sum", kBigint, kString, {bigints({4, 4, 5})}), "9");
}

TEST_F(AggregateTest, EstimatesDistinctValues) {
    ColumnBuilder builder(kInt);
    for (int32_t i = 0; i < 60000; ++i) {
        builder.append(i % 20000);
    }
    const double estimate =
        std::stod(single("approx_count_distinct", kBigint, kString, {builder.finish()}));
    EXPECT_NEAR(estimate, 20000, 20000 * 0.03);
    EXPECT_EQ(single("approx_count_distinct", kBigint, kString, {ints({1, 1, null, 2})}), "2");
}

TEST_F(AggregateTest, RefusesMalformedStates) {
    const std::vector<ColumnPtr> arguments{ints({1})};
    for (const char* name : {"avg", "multi_distinct_count", "approx_count_distinct"}) {
        const AggregateFunctionPtr function =
            bind(name, name == std::string("avg") ? kDouble : kBigint, kString, arguments);
        States states(*function, 1);
        Arena arena;
        const std::vector<ColumnPtr> damaged{texts({std::string("\x05\x00\x00\x00x", 5)})};
        EXPECT_EQ(
            function->merge({damaged, nullptr, 1}, states.rows.data(), 0, arena).code(),
            ErrorCode::kCorruption
        ) << name;
    }
}

}  // namespace

}  // namespace thetis
