// SPDX-License-Identifier: Apache-2.0
#include "exec/scan/pushdown.h"

#include "expr/predicate_extraction.h"

namespace thetis {

void push_down(std::vector<ExpressionPtr>& conjuncts, ReadOptions& options) {
    std::vector<bool> is_done(conjuncts.size(), false);
    for (const auto& predicate : extract_predicates(conjuncts)) {
        auto slot = static_cast<size_t>(predicate.position);
        if (slot >= options.column_unique_ids.size()) {
            continue;
        }
        int32_t unique_id = options.column_unique_ids[slot];
        auto position = options.schema->find_column(unique_id);
        if (!position.has_value()) {
            continue;
        }
        const DataType& type = options.schema->columns()[*position].type;
        bool is_null_test =
            predicate.op == PredicateOp::kIsNull || predicate.op == PredicateOp::kIsNotNull;
        ColumnPtr values = is_null_test ? nullptr : operand_column(predicate, type);
        if (!is_null_test && values == nullptr) {
            continue;
        }
        options.predicates.push_back({unique_id, predicate.op, std::move(values)});
        if (predicate.is_exact) {
            is_done[predicate.conjunct] = true;
        }
    }
    std::vector<ExpressionPtr> remaining;
    for (size_t i = 0; i < conjuncts.size(); ++i) {
        if (!is_done[i]) {
            remaining.push_back(conjuncts[i]);
        }
    }
    conjuncts = std::move(remaining);
}

}  // namespace thetis
