// SPDX-License-Identifier: Apache-2.0
#include "exec/sort/sort_state.h"

#include <random>

#include <gtest/gtest.h>

#include "column/builder.h"
#include "expr/nodes.h"
#include "storage/predicate/column_predicate.h"

namespace thetis {

// With rows past the bound dropped before they come, as a scan may do, the result is the same.
TEST(TopN, TellsTheScanABound) {
    const DataType type = DataType::of(TypeId::kInt, false);
    for (bool ascending : {true, false}) {
        auto spec = std::make_shared<SortSpec>();
        spec->keys = {std::make_shared<SlotExpression>(type, 0)};
        spec->orders = {{ascending, true}};
        spec->types = {type};
        spec->limit = 10;
        auto told = std::make_shared<RuntimePredicates>();
        spec->bound = TopNBound{told, 42};
        SortRun run(spec);
        EvalContext eval;
        std::mt19937 random(3);
        std::vector<int32_t> all;
        int64_t dropped = 0;
        for (int b = 0; b < 40; ++b) {
            ColumnBuilder builder(type);
            const auto bounds = told->since(0);
            for (uint32_t i = 0; i < kMaxBatchRows; ++i) {
                const auto value = static_cast<int32_t>(random() % 1'000'000);
                all.push_back(value);
                bool passes = true;
                for (const auto& bound : bounds) {
                    EXPECT_EQ(bound.column_unique_id, 42);
                    EXPECT_EQ(bound.op, ascending ? PredicateOp::kLe : PredicateOp::kGe);
                    const int32_t limit = bound.values->values<int32_t>()[0];
                    passes &= ascending ? value <= limit : value >= limit;
                }
                if (passes) {
                    builder.append<int32_t>(value);
                } else {
                    ++dropped;
                }
            }
            Batch batch;
            batch.num_rows = builder.size();
            batch.columns = {builder.finish()};
            if (batch.num_rows > 0) {
                ASSERT_TRUE(run.add(std::move(batch), eval).ok());
            }
        }
        EXPECT_GT(dropped, 50'000);
        run.sort();
        std::sort(all.begin(), all.end());
        if (!ascending) {
            std::reverse(all.begin(), all.end());
        }
        std::vector<int32_t> kept;
        for (const auto& batch : run.batches()) {
            for (uint32_t row = 0; row < batch.num_rows; ++row) {
                kept.push_back(batch.columns[0]->values<int32_t>()[row]);
            }
        }
        ASSERT_EQ(run.entries().size(), 10U);
        for (size_t i = 0; i < 10; ++i) {
            EXPECT_EQ(kept[run.entries()[i].row], all[i]);
        }
    }
}

}  // namespace thetis
