// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "column/builder.h"
#include "exec/hash/group_table.h"
#include "exec/hash/join_table.h"

namespace thetis {

namespace {

/// A column of every width class, with NULLs.
ColumnPtr random_column(
    std::mt19937_64& random, const DataType& type, uint32_t num_rows, uint64_t domain
) {
    ColumnBuilder builder(type, num_rows);
    for (uint32_t i = 0; i < num_rows; ++i) {
        uint64_t value = random() % domain;
        if (type.nullable && random() % 10 == 0) {
            builder.append_null();
            continue;
        }
        visit_physical(type.physical(), [&](auto tag) {
            using T = decltype(tag);
            if constexpr (std::is_same_v<T, StringRef>) {
                builder.append_string(
                    "a string that is longer than twelve bytes " + std::to_string(value)
                );
            } else {
                builder.append<T>(static_cast<T>(value));
            }
        });
    }
    return builder.finish();
}

std::vector<std::vector<DataType>> layouts() {
    return {
        {DataType::of(TypeId::kInt)},
        {DataType::of(TypeId::kBigint, false)},
        {DataType::of(TypeId::kBigint)},
        {DataType::of(TypeId::kDate), DataType::of(TypeId::kBigint), DataType::of(TypeId::kTinyint)
        },
        {DataType::of(TypeId::kDouble), DataType::of(TypeId::kSmallint)},
        {DataType::varchar()},
        {DataType::of(TypeId::kLargeint), DataType::varchar(), DataType::of(TypeId::kFloat)},
    };
}

std::string key_text(const std::vector<ColumnPtr>& columns, uint32_t row) {
    std::string text;
    for (const auto& column : columns) {
        text += Scalar::from_column(*column, row).to_string() + "|";
    }
    return text;
}

}  // namespace

TEST(GroupTable, NumbersKeysOfEveryWidth) {
    std::mt19937_64 random(7);
    for (const auto& types : layouts()) {
        std::vector<bool> nullable;
        for (const auto& type : types) {
            nullable.push_back(type.nullable);
        }
        KeyLayout layout(types, nullable);
        GroupTable table(layout);
        KeyRows keys(layout);
        std::map<std::string, uint32_t> expected;
        for (int round = 0; round < 20; ++round) {
            std::vector<ColumnPtr> columns;
            for (const auto& type : types) {
                columns.push_back(random_column(random, type, 3000, 120));
            }
            keys.compute(columns, nullptr, 3000);
            std::vector<uint32_t> groups(3000);
            table.find_or_insert(keys, groups.data());
            for (uint32_t row = 0; row < 3000; ++row) {
                auto found = expected.emplace(key_text(columns, row), groups[row]);
                ASSERT_EQ(found.first->second, groups[row]);
            }
        }
        ASSERT_EQ(table.num_groups(), expected.size());
        auto columns = table.key_columns(uint32_t{0}, table.num_groups());
        for (uint32_t group = 0; group < table.num_groups(); ++group) {
            ASSERT_EQ(expected.at(key_text(columns, group)), group);
        }
        // A merge into an empty table finds the same keys.
        GroupTable merged(layout);
        std::vector<uint32_t> numbers(table.num_groups());
        std::vector<uint32_t> groups(table.num_groups());
        for (uint32_t i = 0; i < numbers.size(); ++i) {
            numbers[i] = i;
        }
        merged.find_or_insert_from(
            table, numbers.data(), static_cast<uint32_t>(numbers.size()), groups.data()
        );
        EXPECT_EQ(groups, numbers);
    }
}

TEST(KeyRows, ZeroesAndNotANumbersAreOneKey) {
    KeyLayout layout({DataType::of(TypeId::kDouble)}, {true});
    ColumnBuilder builder(DataType::of(TypeId::kDouble));
    for (double value : {0.0, -0.0, std::nan("1"), -std::nan("2")}) {
        builder.append<double>(value);
    }
    std::vector<ColumnPtr> columns{builder.finish()};
    KeyRows keys(layout);
    keys.compute(columns, nullptr, 4);
    GroupTable table(layout);
    std::vector<uint32_t> groups(4);
    table.find_or_insert(keys, groups.data());
    EXPECT_EQ(groups, (std::vector<uint32_t>{0, 0, 1, 1}));
}

TEST(JoinTable, FindsAllMatchesInPortions) {
    std::mt19937_64 random(13);
    for (const auto& types : layouts()) {
        KeyLayout layout(types, std::vector<bool>(types.size(), false));
        auto plain = types;
        for (auto& type : plain) {
            type.nullable = false;
        }
        std::multimap<std::string, uint32_t> expected;
        std::vector<std::unique_ptr<JoinKeyRun>> runs;
        std::vector<uint32_t> bases;
        uint32_t base = 0;
        KeyRows keys(layout);
        for (uint32_t rows : {2500U, 0U, 1200U}) {
            auto run = std::make_unique<JoinKeyRun>(layout.width());
            std::vector<ColumnPtr> columns;
            for (const auto& type : plain) {
                columns.push_back(random_column(random, type, rows, 60));
            }
            keys.compute(columns, nullptr, rows);
            run->append(keys, 0, nullptr);
            for (uint32_t row = 0; row < rows; ++row) {
                expected.emplace(key_text(columns, row), base + row);
            }
            runs.push_back(std::move(run));
            bases.push_back(base);
            base += rows;
        }
        JoinTable table(layout.width());
        table.plan(std::move(runs), bases, 3);
        for (size_t part = 0; part < table.num_parts(); ++part) {
            table.build_part(part);
        }
        table.finish_build();
        ASSERT_EQ(table.num_keys(), 3700U);

        std::vector<ColumnPtr> probes;
        for (const auto& type : plain) {
            probes.push_back(random_column(random, type, 500, 80));
        }
        keys.compute(probes, nullptr, 500);
        JoinTable::Candidates candidates;
        table.find_candidates(keys, nullptr, candidates);
        std::multiset<std::pair<uint32_t, uint32_t>> found;
        JoinCursor cursor;
        std::vector<uint32_t> left(77);
        std::vector<uint32_t> right(77);
        uint32_t count = 77;
        while (count == 77) {
            count = table.match(keys, candidates, cursor, left.data(), right.data(), 77);
            for (uint32_t i = 0; i < count; ++i) {
                found.emplace(left[i], right[i]);
            }
        }
        std::multiset<std::pair<uint32_t, uint32_t>> wanted;
        std::vector<uint16_t> any;
        for (uint32_t row = 0; row < 500; ++row) {
            auto [first, last] = expected.equal_range(key_text(probes, row));
            if (first != last) {
                any.push_back(static_cast<uint16_t>(row));
            }
            for (auto it = first; it != last; ++it) {
                wanted.emplace(row, it->second);
            }
        }
        EXPECT_EQ(found, wanted);
        std::vector<uint16_t> matched(500);
        matched.resize(table.match_any(keys, candidates, matched.data()));
        EXPECT_EQ(matched, any);
    }
}

}  // namespace thetis
