// SPDX-License-Identifier: Apache-2.0
#include <random>

#include <gtest/gtest.h>

#include "column/builder.h"
#include "exec/window/frame_tree.h"
#include "exec/window/window_spec.h"
#include "functions/function_names.gen.h"
#include "functions/registries.h"

namespace thetis {

TEST(WindowFunctions, KnowsEveryNameOfTheCatalog) {
    for (std::string_view name : kWindowFunctionNames) {
        EXPECT_NE(window_function(name), WindowFunction::kAggregate) << name;
    }
}

// Any ranges against the definition, for an aggregate of numbers and one whose order counts.
TEST(FrameTree, GivesWhatEachRangeGivesAlone) {
    constexpr uint32_t kRows = 5'003;
    const DataType number = DataType::of(TypeId::kBigint);
    const DataType text = DataType::varchar();
    std::mt19937 random(11);
    ColumnBuilder numbers(number);
    ColumnBuilder letters(text);
    for (uint32_t row = 0; row < kRows; ++row) {
        if (random() % 7 == 0) {
            numbers.append_null();
            letters.append_null();
        } else {
            numbers.append<int64_t>(static_cast<int64_t>(random() % 1'000));
            letters.append_string(std::string(1, static_cast<char>('a' + random() % 26)));
        }
    }
    const std::vector<ColumnPtr> sum_arguments{numbers.finish()};
    const std::vector<ColumnPtr> text_arguments{letters.finish()};
    std::vector<uint32_t> begins;
    std::vector<uint32_t> ends;
    for (int i = 0; i < 300; ++i) {
        const auto begin = static_cast<uint32_t>(random() % kRows);
        begins.push_back(begin);
        ends.push_back(
            std::min(kRows, begin + static_cast<uint32_t>(random() % (i < 150 ? 40 : 5'000)))
        );
    }
    begins.insert(begins.end(), {0, 16, 31, 7, 4'992, 5'002});
    ends.insert(ends.end(), {kRows, 32, 32, 3, kRows, kRows});
    const auto count = static_cast<uint32_t>(begins.size());

    const auto registries = FunctionRegistries::create();
    const auto check = [&](const char* name,
                           const DataType& result,
                           const DataType& state,
                           const std::vector<ColumnPtr>& arguments) {
        const std::vector<DataType> types{arguments[0]->type()};
        auto bound = registries.aggregate.bind({name, types, result, state, {}});
        ASSERT_TRUE(bound.ok()) << bound.status().to_string();
        const AggregateFunction& function = **bound;
        FrameTree tree(function, arguments, kRows);
        ASSERT_TRUE(tree.build().ok());
        auto found = tree.results(begins.data(), ends.data(), count);
        ASSERT_TRUE(found.ok()) << found.status().to_string();
        for (uint32_t i = 0; i < count; ++i) {
            Arena arena(4096);
            char* one = arena.allocate(function.state_bytes(), 16);
            function.create(one);
            for (uint32_t row = begins[i]; row < ends[i]; ++row) {
                const std::vector<ColumnPtr> part{slice(arguments[0], row, 1)};
                ASSERT_TRUE(function.update_single({part, nullptr, 1}, one, arena).ok());
            }
            auto expected = function.finalize(&one, 0, 1);
            ASSERT_TRUE(expected.ok());
            EXPECT_EQ(
                Scalar::from_column(**found, i).to_string(),
                Scalar::from_column(**expected, 0).to_string()
            ) << name
              << " [" << begins[i] << ", " << ends[i] << ")";
            function.destroy(one);
        }
    };
    check("sum", number, number, sum_arguments);
    check("min", number, number, sum_arguments);
    check("group_concat", text, text, text_arguments);
}

}  // namespace thetis
