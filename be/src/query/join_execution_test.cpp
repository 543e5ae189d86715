// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <random>

#include "query/testing/query_fixture.h"

namespace thetis::testing {

namespace {

using Kind = wire::JoinKind;

const std::vector<DataType> kTwo{bigint(), bigint()};
const std::vector<DataType> kFour{bigint(), bigint(), bigint(), bigint()};

/// Rows of two columns: a key with repeats and NULLs, a value.
std::vector<Row> make_side(
    std::mt19937_64& random, size_t count, int64_t domain, double null_share
) {
    std::vector<Row> rows;
    std::uniform_real_distribution<double> share(0, 1);
    for (size_t r = 0; r < count; ++r) {
        Row row(2);
        if (share(random) >= null_share) {
            row[0] = static_cast<int64_t>(random() % static_cast<uint64_t>(domain));
        }
        if (share(random) >= 0.1) {
            row[1] = static_cast<int64_t>(random() % 100);
        }
        rows.push_back(row);
    }
    return rows;
}

/// SQL's three truth values; absent is unknown.
using Truth = std::optional<bool>;

Truth both(Truth left, Truth right) {
    if (left == false || right == false) {
        return false;
    }
    return left.has_value() && right.has_value() ? Truth(true) : std::nullopt;
}

Truth equals(const std::optional<int64_t>& left, const std::optional<int64_t>& right) {
    return left.has_value() && right.has_value() ? Truth(*left == *right) : std::nullopt;
}

Truth less(const std::optional<int64_t>& left, const std::optional<int64_t>& right) {
    return left.has_value() && right.has_value() ? Truth(*left < *right) : std::nullopt;
}

Row joined(const Row* left, const Row* right) {
    Row row(4);
    for (size_t c = 0; c < 2; ++c) {
        row[c] = left == nullptr ? std::nullopt : (*left)[c];
        row[c + 2] = right == nullptr ? std::nullopt : (*right)[c];
    }
    return row;
}

/// The join's definition, row by row.
std::vector<Row> reference(
    Kind::type kind,
    const std::vector<Row>& left,
    const std::vector<Row>& right,
    bool with_key,
    bool with_condition
) {
    std::vector<Row> result;
    std::vector<bool> right_matched(right.size());
    for (const auto& l : left) {
        bool matched = false;
        bool maybe = false;
        for (size_t r = 0; r < right.size(); ++r) {
            Truth truth = true;
            Truth condition = with_condition ? less(l[1], right[r][1]) : Truth(true);
            if (with_key) {
                truth = equals(l[0], right[r][0]);
            }
            bool is_true = both(truth, condition) == true;
            maybe |= truth != false && condition == true;
            if (is_true) {
                matched = true;
                right_matched[r] = true;
                if (kind == Kind::INNER || kind == Kind::LEFT_OUTER || kind == Kind::RIGHT_OUTER ||
                    kind == Kind::FULL_OUTER || kind == Kind::CROSS) {
                    result.push_back(joined(&l, &right[r]));
                }
            }
        }
        if (!matched && (kind == Kind::LEFT_OUTER || kind == Kind::FULL_OUTER)) {
            result.push_back(joined(&l, nullptr));
        }
        if ((kind == Kind::LEFT_SEMI && matched) || (kind == Kind::LEFT_ANTI && !matched) ||
            (kind == Kind::NULL_AWARE_LEFT_ANTI && !maybe)) {
            result.push_back(l);
        }
    }
    for (size_t r = 0; r < right.size(); ++r) {
        if (!right_matched[r] && (kind == Kind::RIGHT_OUTER || kind == Kind::FULL_OUTER)) {
            result.push_back(joined(nullptr, &right[r]));
        }
        if ((kind == Kind::RIGHT_SEMI && right_matched[r]) ||
            (kind == Kind::RIGHT_ANTI && !right_matched[r])) {
            result.push_back(right[r]);
        }
    }
    return result;
}

std::vector<TextRow> sorted_text(const std::vector<Row>& rows) {
    std::vector<TextRow> text;
    for (const auto& row : rows) {
        TextRow cells;
        for (const auto& value : row) {
            cells.push_back(
                value.has_value() ? std::optional(std::to_string(*value)) : std::nullopt
            );
        }
        text.push_back(std::move(cells));
    }
    std::sort(text.begin(), text.end());
    return text;
}

std::vector<DataType> output_of(Kind::type kind) {
    bool one_side = kind == Kind::LEFT_SEMI || kind == Kind::LEFT_ANTI ||
                    kind == Kind::NULL_AWARE_LEFT_ANTI || kind == Kind::RIGHT_SEMI ||
                    kind == Kind::RIGHT_ANTI;
    return one_side ? kTwo : kFour;
}

const Kind::type kKinds[] = {
    Kind::INNER,
    Kind::LEFT_OUTER,
    Kind::RIGHT_OUTER,
    Kind::FULL_OUTER,
    Kind::LEFT_SEMI,
    Kind::LEFT_ANTI,
    Kind::RIGHT_SEMI,
    Kind::RIGHT_ANTI,
    Kind::NULL_AWARE_LEFT_ANTI
};

void check(
    const std::vector<Row>& left,
    const std::vector<Row>& right,
    int tasks,
    int batch_size,
    const std::string& what
) {
    Backend backend(3);
    backend.scans().add_rows(1, left, 2, 700);
    backend.scans().add_rows(2, right, 2, 300);
    int64_t query = 0;
    auto less_condition = call("lt", boolean(), {slot(1), slot(3)});
    for (auto kind : kKinds) {
        for (bool with_condition : {false, true}) {
            std::vector<wire::Expr> conjuncts;
            if (with_condition) {
                conjuncts.push_back(less_condition);
            }
            auto plan = hash_join(
                3,
                kind,
                output_of(kind),
                scan(1, kTwo),
                scan(2, kTwo),
                {slot(0)},
                {slot(0)},
                conjuncts
            );
            auto outcome =
                backend.run(result_plan(++query, plan, {{1, {1}}, {2, {2}}}, tasks, batch_size));
            ASSERT_TRUE(outcome.status.ok()) << outcome.status.to_string();
            std::sort(outcome.rows.begin(), outcome.rows.end());
            EXPECT_EQ(outcome.rows, sorted_text(reference(kind, left, right, true, with_condition)))
                << what << " kind " << kind << " condition " << with_condition;
        }
    }
}

}  // namespace

TEST(JoinExecution, EveryKindAgainstTheDefinition) {
    std::mt19937_64 random(23);
    check(
        make_side(random, 1500, 300, 0.1),
        make_side(random, 400, 300, 0.1),
        3,
        4096,
        "nulls on both sides"
    );
    check(make_side(random, 1500, 300, 0.1), make_side(random, 400, 300, 0), 1, 7, "small batches");
    check(
        make_side(random, 500, 10, 0.1), make_side(random, 200, 10, 0.05), 2, 100, "many repeats"
    );
    check(make_side(random, 500, 10, 0.1), {}, 2, 4096, "empty build side");
    check({}, make_side(random, 500, 10, 0.1), 2, 4096, "empty probe side");
}

TEST(JoinExecution, NestedLoopsAndCross) {
    std::mt19937_64 random(29);
    auto left = make_side(random, 300, 10, 0.1);
    auto right = make_side(random, 50, 10, 0.1);
    Backend backend;
    backend.scans().add_rows(1, left, 2, 100);
    backend.scans().add_rows(2, right, 2, 20);
    backend.scans().add_rows(3, {right[0]}, 2);
    int64_t query = 0;
    for (auto kind :
         {Kind::INNER,
          Kind::LEFT_OUTER,
          Kind::RIGHT_OUTER,
          Kind::FULL_OUTER,
          Kind::LEFT_SEMI,
          Kind::LEFT_ANTI}) {
        auto plan = nested_loop_join(
            3,
            kind,
            output_of(kind),
            scan(1, kTwo),
            scan(2, kTwo),
            {call("lt", boolean(), {slot(1), slot(3)})}
        );
        auto outcome = backend.run(result_plan(++query, plan, {{1, {1}}, {2, {2}}}, 2, 64));
        ASSERT_TRUE(outcome.status.ok()) << outcome.status.to_string();
        std::sort(outcome.rows.begin(), outcome.rows.end());
        EXPECT_EQ(outcome.rows, sorted_text(reference(kind, left, right, false, true)))
            << "kind " << kind;
    }
    for (int64_t build : {2, 3}) {
        auto plan = nested_loop_join(3, Kind::CROSS, kFour, scan(1, kTwo), scan(2, kTwo));
        auto outcome = backend.run(result_plan(++query, plan, {{1, {1}}, {2, {build}}}, 2));
        ASSERT_TRUE(outcome.status.ok()) << outcome.status.to_string();
        std::sort(outcome.rows.begin(), outcome.rows.end());
        auto other = build == 2 ? right : std::vector<Row>{right[0]};
        EXPECT_EQ(outcome.rows, sorted_text(reference(Kind::CROSS, left, other, false, false)));
    }
}

TEST(JoinExecution, SeveralKeysAndNullSafeKeys) {
    std::mt19937_64 random(31);
    auto left = make_side(random, 800, 20, 0.2);
    auto right = make_side(random, 300, 20, 0.2);
    Backend backend;
    backend.scans().add_rows(1, left, 2);
    backend.scans().add_rows(2, right, 2);
    for (bool null_safe : {false, true}) {
        auto plan = hash_join(
            3,
            Kind::INNER,
            kFour,
            scan(1, kTwo),
            scan(2, kTwo),
            {slot(0), slot(1)},
            {slot(0), slot(1)}
        );
        plan.op.hash_join.__set_null_safe({null_safe, null_safe});
        auto outcome = backend.run(result_plan(null_safe ? 1 : 2, plan, {{1, {1}}, {2, {2}}}));
        ASSERT_TRUE(outcome.status.ok()) << outcome.status.to_string();
        std::vector<Row> expected;
        for (const auto& l : left) {
            for (const auto& r : right) {
                bool has_null = !l[0] || !l[1] || !r[0] || !r[1];
                if (l == r && (null_safe || !has_null)) {
                    expected.push_back(joined(&l, &r));
                }
            }
        }
        std::sort(outcome.rows.begin(), outcome.rows.end());
        EXPECT_EQ(outcome.rows, sorted_text(expected)) << "null_safe " << null_safe;
    }
}

TEST(JoinExecution, RuntimeFilterAndOutputPositions) {
    std::mt19937_64 random(37);
    auto left = make_side(random, 20'000, 5000, 0.1);
    auto right = make_side(random, 40, 5000, 0);
    Backend backend;
    backend.scans().add_rows(1, left, 2);
    backend.scans().add_rows(2, right, 2);
    auto probe = scan(1, kTwo);
    wire::RuntimeFilterTarget target;
    target.filter_id = 5;
    target.probe = slot(0);
    probe.op.tablet_scan.__set_runtime_filters({target});
    auto plan = hash_join(3, Kind::INNER, kTwo, probe, scan(2, kTwo), {slot(0)}, {slot(0)});
    wire::RuntimeFilterSource source;
    source.filter_id = 5;
    source.key_index = 0;
    plan.op.hash_join.__set_runtime_filters({source});
    plan.op.hash_join.__set_output_positions({3, 0});
    auto exec_plan = result_plan(1, plan, {{1, {1}}, {2, {2}}});
    exec_plan.options.__set_enable_profile(true);
    auto outcome = backend.run(exec_plan);
    ASSERT_TRUE(outcome.status.ok()) << outcome.status.to_string();
    std::vector<Row> expected;
    for (const auto& row : reference(Kind::INNER, left, right, true, false)) {
        expected.push_back({row[3], row[0]});
    }
    std::sort(outcome.rows.begin(), outcome.rows.end());
    EXPECT_EQ(outcome.rows, sorted_text(expected));
    EXPECT_NE(outcome.last.profile.find("hash_join"), std::string::npos) << outcome.last.profile;
}

}  // namespace thetis::testing
