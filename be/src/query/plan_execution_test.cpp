// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <random>

#include "query/testing/query_fixture.h"

namespace thetis::testing {

namespace {

const std::vector<DataType> kTwo{bigint(), bigint()};
const std::vector<DataType> kThree{bigint(), bigint(), bigint()};

std::vector<Row> random_rows(
    std::mt19937_64& random, size_t count, size_t num_columns, int64_t domain, double null_share
) {
    std::vector<Row> rows;
    std::uniform_real_distribution<double> share(0, 1);
    for (size_t r = 0; r < count; ++r) {
        Row row;
        for (size_t c = 0; c < num_columns; ++c) {
            if (share(random) < null_share) {
                row.emplace_back();
            } else {
                row.emplace_back(static_cast<int64_t>(random() % static_cast<uint64_t>(domain)));
            }
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

TextRow as_text(const Row& row) {
    TextRow text;
    for (const auto& value : row) {
        text.push_back(value.has_value() ? std::optional(std::to_string(*value)) : std::nullopt);
    }
    return text;
}

std::vector<TextRow> as_text(const std::vector<Row>& rows) {
    std::vector<TextRow> text;
    for (const auto& row : rows) {
        text.push_back(as_text(row));
    }
    return text;
}

std::vector<TextRow> sorted(std::vector<TextRow> rows) {
    std::sort(rows.begin(), rows.end());
    return rows;
}

}  // namespace

TEST(PlanExecution, ScanFilterProjectAggregateSort) {
    Backend backend;
    std::mt19937_64 random(11);
    auto rows = random_rows(random, 50'000, 2, 100, 0.05);
    backend.scans().add_rows(1, rows, 2);
    // SELECT c0, sum(c1 + 1), count(*) FROM t WHERE c1 >= 10 GROUP BY c0 ORDER BY c0 DESC
    auto plan = sort(
        4,
        kThree,
        aggregate(
            3,
            wire::AggregatePhase::SINGLE,
            kThree,
            project(
                2,
                kTwo,
                scan(1, kTwo, {call("ge", boolean(), {slot(1), literal(10)})}),
                {slot(0), call("add", bigint(), {slot(1), literal(1)})}
            ),
            {slot(0)},
            {aggregate_call("sum", {slot(1)}, {bigint()}, bigint(), bigint()),
             aggregate_call(
                 "count",
                 {},
                 {},
                 DataType::of(TypeId::kBigint, false),
                 DataType::of(TypeId::kBigint, false)
             )}
        ),
        {sort_key(slot(0), false, false)}
    );
    auto outcome = backend.run(result_plan(1, plan, {{1, {1}}}));
    ASSERT_TRUE(outcome.status.ok()) << outcome.status.to_string();

    std::map<std::optional<int64_t>, std::pair<int64_t, int64_t>> expected;
    for (const auto& row : rows) {
        if (row[1].has_value() && *row[1] >= 10) {
            expected[row[0]].first += *row[1] + 1;
            expected[row[0]].second += 1;
        }
    }
    std::vector<TextRow> expected_rows;
    for (auto it = expected.rbegin(); it != expected.rend(); ++it) {
        expected_rows.push_back(as_text(Row{it->first, it->second.first, it->second.second}));
    }
    EXPECT_EQ(outcome.rows, expected_rows);
    EXPECT_TRUE(outcome.last.eos);
    EXPECT_EQ(outcome.last.scan_rows, 50'000);
}

TEST(PlanExecution, AggregationWithManyGroupsAndTasks) {
    std::mt19937_64 random(5);
    auto rows = random_rows(random, 200'000, 2, 60'000, 0.01);
    std::map<std::optional<int64_t>, int64_t> expected;
    for (const auto& row : rows) {
        expected[row[0]] += row[1].value_or(0);
    }
    for (int tasks : {1, 4}) {
        for (bool two_phase : {false, true}) {
            Backend backend;
            backend.scans().add_rows(1, rows, 2);
            auto sum = aggregate_call("sum", {slot(1)}, {bigint()}, bigint(), bigint());
            auto plan = aggregate(
                2,
                two_phase ? wire::AggregatePhase::PARTIAL : wire::AggregatePhase::SINGLE,
                kTwo,
                scan(1, kTwo),
                {slot(0)},
                {sum}
            );
            if (two_phase) {
                plan = aggregate(3, wire::AggregatePhase::FINAL, kTwo, plan, {slot(0)}, {sum});
            }
            auto outcome = backend.run(result_plan(1, plan, {{1, {1}}}, tasks));
            ASSERT_TRUE(outcome.status.ok()) << outcome.status.to_string();
            ASSERT_EQ(outcome.rows.size(), expected.size());
            int64_t wrong = 0;
            for (const auto& row : outcome.rows) {
                auto key =
                    row[0].has_value() ? std::optional<int64_t>(std::stoll(*row[0])) : std::nullopt;
                int64_t sum_of_group = row[1].has_value() ? std::stoll(*row[1]) : 0;
                wrong += expected.at(key) != sum_of_group ? 1 : 0;
            }
            EXPECT_EQ(wrong, 0) << "tasks " << tasks << " two_phase " << two_phase;
        }
    }
}

TEST(PlanExecution, AggregationOfNothing) {
    Backend backend;
    backend.scans().add_rows(1, {}, 2);
    auto count = aggregate_call(
        "count", {}, {}, DataType::of(TypeId::kBigint, false), DataType::of(TypeId::kBigint, false)
    );
    auto sum = aggregate_call("sum", {slot(1)}, {bigint()}, bigint(), bigint());
    auto no_keys =
        aggregate(2, wire::AggregatePhase::SINGLE, kTwo, scan(1, kTwo), {}, {count, sum});
    auto outcome = backend.run(result_plan(1, no_keys, {{1, {1}}}));
    ASSERT_TRUE(outcome.status.ok()) << outcome.status.to_string();
    EXPECT_EQ(outcome.rows, (std::vector<TextRow>{{"0", std::nullopt}}));
    auto keys = aggregate(2, wire::AggregatePhase::SINGLE, kTwo, scan(1, kTwo), {slot(0)}, {count});
    EXPECT_TRUE(backend.run(result_plan(2, keys, {{1, {1}}})).rows.empty());
}

TEST(PlanExecution, DistinctAggregate) {
    Backend backend;
    std::mt19937_64 random(3);
    auto rows = random_rows(random, 20'000, 2, 50, 0.1);
    backend.scans().add_rows(1, rows, 2);
    auto distinct = aggregate_call(
        "count",
        {slot(1)},
        {bigint()},
        DataType::of(TypeId::kBigint, false),
        DataType::of(TypeId::kBigint, false)
    );
    distinct.__set_distinct(true);
    auto plan =
        aggregate(2, wire::AggregatePhase::SINGLE, kTwo, scan(1, kTwo), {slot(0)}, {distinct});
    auto outcome = backend.run(result_plan(1, plan, {{1, {1}}}, 4));
    ASSERT_TRUE(outcome.status.ok()) << outcome.status.to_string();
    std::map<std::optional<int64_t>, std::set<int64_t>> expected;
    for (const auto& row : rows) {
        auto& values = expected[row[0]];
        if (row[1].has_value()) {
            values.insert(*row[1]);
        }
    }
    std::vector<TextRow> expected_rows;
    for (const auto& [key, values] : expected) {
        expected_rows.push_back(as_text(Row{key, static_cast<int64_t>(values.size())}));
    }
    EXPECT_EQ(sorted(outcome.rows), sorted(expected_rows));
}

TEST(PlanExecution, SortAndTopN) {
    std::mt19937_64 random(17);
    auto rows = random_rows(random, 60'000, 2, 1'000'000'000, 0.05);
    auto ordered = rows;
    // NULL sorts first ascending; std::optional orders the same way.
    std::sort(ordered.begin(), ordered.end());
    for (int tasks : {1, 3}) {
        Backend backend;
        backend.scans().add_rows(1, rows, 2);
        std::vector<wire::SortKey> keys{sort_key(slot(0)), sort_key(slot(1))};
        auto all =
            backend.run(result_plan(1, sort(2, kTwo, scan(1, kTwo), keys), {{1, {1}}}, tasks));
        ASSERT_TRUE(all.status.ok()) << all.status.to_string();
        EXPECT_EQ(all.rows, as_text(ordered));
        auto top = backend.run(
            result_plan(2, top_n(2, kTwo, scan(1, kTwo), keys, 100, 3000), {{1, {1}}}, tasks)
        );
        ASSERT_TRUE(top.status.ok()) << top.status.to_string();
        EXPECT_EQ(
            top.rows, as_text(std::vector<Row>(ordered.begin() + 3000, ordered.begin() + 3100))
        );
        auto few = backend.run(result_plan(
            3,
            top_n(2, kTwo, scan(1, kTwo), {sort_key(slot(0), false), sort_key(slot(1), false)}, 10),
            {{1, {1}}},
            tasks
        ));
        EXPECT_EQ(few.rows.size(), 10U);
    }
}

TEST(PlanExecution, LimitStopsTheScan) {
    Backend backend;
    std::mt19937_64 random(1);
    backend.scans().add_rows(1, random_rows(random, 500'000, 2, 10, 0), 2);
    auto outcome = backend.run(result_plan(1, limit(2, kTwo, scan(1, kTwo), 10, 5), {{1, {1}}}));
    ASSERT_TRUE(outcome.status.ok()) << outcome.status.to_string();
    EXPECT_EQ(outcome.rows.size(), 10U);
    EXPECT_LT(outcome.last.scan_rows, 100'000);
}

TEST(PlanExecution, UnionNumbersAndAssertRows) {
    Backend backend;
    const std::vector<DataType> one{DataType::of(TypeId::kBigint, false)};
    auto outcome =
        backend.run(result_plan(1, union_all(3, one, {numbers(1, 10'000), numbers(2, 5)})));
    ASSERT_TRUE(outcome.status.ok()) << outcome.status.to_string();
    EXPECT_EQ(outcome.rows.size(), 10'005U);

    wire::AssertRows assertion;
    assertion.max_rows = 1;
    assertion.pad_empty = true;
    auto asserted = node(5, one, {numbers(4, 2)});
    asserted.op.__set_assert_rows(assertion);
    EXPECT_EQ(backend.run(result_plan(2, asserted)).status.code(), ErrorCode::kSubqueryRows);
    asserted = node(5, one, {numbers(4, 0)});
    asserted.op.__set_assert_rows(assertion);
    EXPECT_EQ(backend.run(result_plan(3, asserted)).rows, (std::vector<TextRow>{{std::nullopt}}));
}

TEST(PlanExecution, BadPlansAreErrors) {
    Backend backend;
    EXPECT_EQ(
        backend
            .run(result_plan(
                1, filter(2, kTwo, scan(1, kTwo), {call("eq", boolean(), {slot(9), literal(1)})})
            ))
            .status.code(),
        ErrorCode::kInvalidArgument
    );
    EXPECT_EQ(
        backend
            .run(result_plan(
                2, filter(2, kTwo, scan(1, kTwo), {call("no_such_function", boolean(), {slot(0)})})
            ))
            .status.code(),
        ErrorCode::kNotSupported
    );
    EXPECT_EQ(
        backend.run(result_plan(3, scan(1, kTwo), {{1, {404}}})).status.code(),
        ErrorCode::kTabletNotFound
    );
    EXPECT_FALSE(backend.manager().prepare_bytes("garbage", true).ok());
    EXPECT_EQ(backend.manager().metrics().num_queries, 0);
}

TEST(PlanExecution, MemoryLimit) {
    Backend backend;
    auto plan = result_plan(
        1,
        sort(
            2,
            {DataType::of(TypeId::kBigint, false)},
            numbers(1, 10'000'000),
            {sort_key(slot(0, DataType::of(TypeId::kBigint, false)))}
        )
    );
    plan.options.mem_limit_bytes = 20 << 20;
    auto outcome = backend.run(plan);
    EXPECT_EQ(outcome.status.code(), ErrorCode::kMemLimitExceeded) << outcome.status.to_string();
    EXPECT_TRUE(backend.is_idle_soon()) << backend.memory_bytes();
}

}  // namespace thetis::testing
