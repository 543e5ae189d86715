// SPDX-License-Identifier: Apache-2.0
#include "storage/memtable/row_sort.h"

#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "column/builder.h"
#include "column/scalar.h"
#include "storage/memtable/pattern_sort.h"

namespace thetis {
namespace {

ColumnPtr random_column(
    const DataType& type, uint32_t num_rows, uint32_t num_distinct, std::mt19937_64& random
) {
    ColumnBuilder builder(type);
    for (uint32_t row = 0; row < num_rows; ++row) {
        const auto value = static_cast<int64_t>(random() % num_distinct) - num_distinct / 2;
        if (type.nullable && random() % 10 == 0) {
            builder.append_null();
        } else if (type.is_string()) {
            builder.append_string(
                fmt::format("a long common prefix {}", value).substr(random() % 2 * 14)
            );
        } else if (type.physical() == PhysicalType::kDouble) {
            builder.append<double>(static_cast<double>(value) / 3);
        } else {
            builder.append_scalar(Scalar::integer(
                type,
                static_cast<int128_t>(value) * (type.id == TypeId::kLargeint ? 1'000'000'007 : 1)
            ));
        }
    }
    return builder.finish();
}

TEST(RowSort, OrdersLikeAStableSortOfTheRows) {
    std::mt19937_64 random(1);
    const std::vector<DataType> types{
        DataType::of(TypeId::kInt),
        DataType::of(TypeId::kBigint, false),
        DataType::varchar(),
        DataType::of(TypeId::kDouble),
        DataType::of(TypeId::kLargeint),
        DataType::of(TypeId::kBoolean)
    };
    for (int round = 0; round < 60; ++round) {
        const uint32_t num_rows = round == 0 ? 0 : static_cast<uint32_t>(random() % 800);
        std::vector<ColumnPtr> keys;
        for (uint32_t i = 0; i <= random() % 3; ++i) {
            DataType type = types[random() % types.size()];
            keys.push_back(random_column(
                type,
                num_rows,
                type.id == TypeId::kBoolean ? 2 : 1 + static_cast<uint32_t>(random() % 20),
                random
            ));
        }
        std::vector<uint32_t> expected(num_rows);
        std::iota(expected.begin(), expected.end(), 0);
        std::sort(expected.begin(), expected.end(), [&](uint32_t a, uint32_t b) {
            for (const ColumnPtr& key : keys) {
                const int order =
                    Scalar::from_column(*key, a).compare(Scalar::from_column(*key, b));
                if (order != 0) {
                    return order < 0;
                }
            }
            return a < b;
        });
        std::vector<uint32_t> sorted = sort_rows(keys, num_rows);
        if (sorted.empty()) {
            sorted.resize(num_rows);
            std::iota(sorted.begin(), sorted.end(), 0);
        }
        ASSERT_EQ(sorted, expected) << "round " << round;
    }
}

TEST(RowSort, SortedInputNeedsNoOrder) {
    ColumnBuilder builder(DataType::of(TypeId::kInt));
    for (int i = 0; i < 100; ++i) {
        builder.append<int32_t>(i / 3);
    }
    const ColumnPtr column = builder.finish();
    EXPECT_TRUE(sort_rows({&column, 1}, 100).empty());
    EXPECT_TRUE(sort_rows({}, 100).empty());
}

TEST(PatternSortTest, SortsEveryPattern) {
    std::mt19937_64 random(1);
    for (const uint32_t size : {0U, 1U, 2U, 23U, 24U, 25U, 100U, 129U, 1000U, 20000U}) {
        for (int pattern = 0; pattern < 9; ++pattern) {
            std::vector<uint64_t> values;
            for (uint64_t i = 0; i < size; ++i) {
                const uint64_t forms[] = {
                    random(),
                    i,
                    size - i,
                    i % 7,
                    0,
                    std::min(i, size - i),
                    i % 2 == 0 ? i : size - i,
                    random() % 3,
                    i + (random() % 50 == 0 ? random() % 100 : 0)
                };
                // All different: the position decides.
                values.push_back(forms[pattern] << 20 | i);
            }
            std::vector<uint64_t> expected(values);
            std::sort(expected.begin(), expected.end());
            pattern_sort(values.data(), values.data() + values.size());
            ASSERT_EQ(values, expected) << size << " values of pattern " << pattern;
        }
    }
}

}  // namespace
}  // namespace thetis
