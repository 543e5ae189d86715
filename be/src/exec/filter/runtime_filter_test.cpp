// SPDX-License-Identifier: Apache-2.0
#include "exec/filter/runtime_filter.h"

#include <random>
#include <set>

#include <gtest/gtest.h>

#include "column/builder.h"

namespace thetis {

namespace {

const DataType kBigint = DataType::of(TypeId::kBigint);

ColumnPtr bigints_with_nulls(const std::vector<int64_t>& values, int64_t null_every) {
    ColumnBuilder builder(kBigint);
    for (size_t i = 0; i < values.size(); ++i) {
        if (null_every > 0 && static_cast<int64_t>(i) % null_every == 0) {
            builder.append_null();
        } else {
            builder.append<int64_t>(values[i]);
        }
    }
    return builder.finish();
}

std::vector<int64_t> random_numbers(std::mt19937_64& random, size_t count, int64_t span) {
    std::vector<int64_t> values;
    for (size_t i = 0; i < count; ++i) {
        values.push_back(static_cast<int64_t>(random() % static_cast<uint64_t>(span)) - span / 2);
    }
    return values;
}

}  // namespace

// Dense keys are held as bits (exact), sparse ones in a bloom filter: both keep every key.
TEST(RuntimeFilter, KeepsKeysAndDropsOthers) {
    std::mt19937_64 random(7);
    for (int64_t span : {int64_t{1'000}, int64_t{1'000'000}, int64_t{1} << 60}) {
        const auto build = random_numbers(random, 3'000, span);
        std::set<int64_t> keys;
        for (size_t i = 0; i < build.size(); ++i) {
            if (i % 10 != 0) {
                keys.insert(build[i]);
            }
        }
        RuntimeFilter filter(kBigint);
        filter.build({bigints_with_nulls(build, 10)});
        ASSERT_TRUE(filter.can_test());
        auto probe = random_numbers(random, 2'000, span);
        probe.insert(probe.end(), keys.begin(), std::next(keys.begin(), 500));
        probe.push_back(INT64_MIN);
        probe.push_back(INT64_MAX);
        const ColumnPtr column = bigints_with_nulls(probe, 0);

        std::vector<uint8_t> passes(probe.size());
        filter.test(*column, passes.data());
        Selection selection;
        ASSERT_TRUE(filter.select(*column, true, selection));
        Batch batch;
        batch.num_rows = column->size();
        batch.columns = {column};
        filter.apply(column, batch);
        size_t wrong = 0;
        for (uint32_t row = 0; row < probe.size(); ++row) {
            const bool passed = passes[row] != 0;
            const bool is_key = keys.contains(probe[row]);
            EXPECT_EQ(passed, std::binary_search(selection.begin(), selection.end(), row));
            EXPECT_TRUE(passed || !is_key) << probe[row];
            wrong += passed && !is_key ? 1 : 0;
        }
        EXPECT_EQ(wrong > 0 && span <= 1'000, false);
        EXPECT_LT(wrong, probe.size() / 20);
        EXPECT_EQ(*batch.selection, selection);
    }
}

TEST(RuntimeFilter, PagesWithoutAnyKeyAreLeftOut) {
    RuntimeFilter filter(kBigint);
    filter.build({bigints_with_nulls({100, 164, 5'000, -70}, 0)});
    const auto may_match = [&](int64_t low, int64_t high) {
        return filter.may_match(*bigints_with_nulls({low}, 0), *bigints_with_nulls({high}, 0));
    };
    EXPECT_TRUE(may_match(INT64_MIN, INT64_MAX));
    EXPECT_TRUE(may_match(100, 100));
    EXPECT_TRUE(may_match(101, 164));
    EXPECT_TRUE(may_match(-100, -70));
    EXPECT_TRUE(may_match(4'000, 6'000));
    EXPECT_FALSE(may_match(101, 163));
    EXPECT_FALSE(may_match(165, 4'999));
    EXPECT_FALSE(may_match(5'001, 9'000));
    EXPECT_FALSE(may_match(-500, -71));
}

TEST(RuntimeFilter, AnEmptyBuildSideLetsNothingPass) {
    RuntimeFilter filter(kBigint);
    filter.build({});
    EXPECT_TRUE(filter.passes_nothing());
    Selection selection;
    EXPECT_TRUE(filter.select(*bigints_with_nulls({1, 2}, 0), true, selection));
    EXPECT_TRUE(selection.empty());
}

}  // namespace thetis
