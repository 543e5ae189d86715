// SPDX-License-Identifier: Apache-2.0
#include <random>

#include "query/testing/query_fixture.h"

namespace thetis::testing {

namespace {

const std::vector<DataType> kTwo{bigint(), bigint()};
const DataType kNumber = DataType::of(TypeId::kBigint, false);

wire::WindowCall window_call(
    const std::string& name, std::vector<wire::Expr> arguments, const DataType& result = bigint()
) {
    wire::WindowCall result_call;
    result_call.name = name;
    for (const auto& argument : arguments) {
        result_call.argument_types.push_back(argument.type);
    }
    result_call.arguments = std::move(arguments);
    result_call.result_type = wire_type(result);
    return result_call;
}

}  // namespace

TEST(WindowExecution, RanksNeighboursAndFrames) {
    Backend backend;
    // Partition c0, value c1; several batches per partition with batches of 3.
    std::vector<Row> rows;
    for (int64_t value : {10, 20, 20, 30}) {
        rows.push_back({1, value});
    }
    rows.push_back({2, 5});
    rows.push_back({std::nullopt, 7});
    rows.push_back({std::nullopt, 8});
    backend.scans().add_rows(1, rows, 2, 2);

    auto running_sum = window_call("sum", {slot(1)});
    running_sum.__set_frame_end(0);
    auto moving_sum = window_call("sum", {slot(1)});
    moving_sum.__set_rows_frame(true);
    moving_sum.__set_frame_start(-1);
    moving_sum.__set_frame_end(0);
    auto whole_count = window_call("count", {}, kNumber);
    whole_count.__set_whole_partition(true);
    wire::Window window;
    window.partition_by = {slot(0)};
    window.order_by = {sort_key(slot(1))};
    window.calls = {
        window_call("row_number", {}, kNumber),
        window_call("rank", {}, kNumber),
        window_call("dense_rank", {}, kNumber),
        window_call("lag", {slot(1), literal(1), literal(-1)}),
        window_call("lead", {slot(1)}),
        running_sum,
        moving_sum,
        whole_count,
        window_call("ntile", {literal(3)}, kNumber)
    };
    auto sorted_input = sort(2, kTwo, scan(1, kTwo), {sort_key(slot(0)), sort_key(slot(1))});
    std::vector<DataType> types(11, bigint());
    for (int batch_size : {3, 4096}) {
        auto plan = node(3, types, {sorted_input});
        plan.op.__set_window(window);
        auto outcome = backend.run(result_plan(batch_size, plan, {{1, {1}}}, 2, batch_size));
        ASSERT_TRUE(outcome.status.ok()) << outcome.status.to_string();
        const auto kNull = std::nullopt;
        std::vector<TextRow> expected{
            {kNull, "7", "1", "1", "1", "-1", "8", "7", "7", "2", "1"},
            {kNull, "8", "2", "2", "2", "7", kNull, "15", "15", "2", "2"},
            {"1", "10", "1", "1", "1", "-1", "20", "10", "10", "4", "1"},
            {"1", "20", "2", "2", "2", "10", "20", "50", "30", "4", "1"},
            {"1", "20", "3", "2", "2", "20", "30", "50", "40", "4", "2"},
            {"1", "30", "4", "4", "3", "20", kNull, "80", "50", "4", "3"},
            {"2", "5", "1", "1", "1", "-1", kNull, "5", "5", "1", "1"},
        };
        EXPECT_EQ(outcome.rows, expected) << "batch size " << batch_size;
    }
}

}  // namespace thetis::testing
