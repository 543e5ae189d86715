// SPDX-License-Identifier: Apache-2.0
#include "storage/predicate/column_predicate.h"

#include "column/scalar.h"

namespace thetis {

std::string_view predicate_op_name(PredicateOp op) {
    switch (op) {
        case PredicateOp::kEq:
            return "=";
        case PredicateOp::kNe:
            return "!=";
        case PredicateOp::kLt:
            return "<";
        case PredicateOp::kLe:
            return "<=";
        case PredicateOp::kGt:
            return ">";
        case PredicateOp::kGe:
            return ">=";
        case PredicateOp::kIn:
            return "IN";
        case PredicateOp::kNotIn:
            return "NOT IN";
        case PredicateOp::kIsNull:
            return "IS NULL";
        case PredicateOp::kIsNotNull:
            return "IS NOT NULL";
        case PredicateOp::kPrefix:
            return "STARTS WITH";
        case PredicateOp::kFilter:
            return "FILTER";
    }
    return "?";
}

std::string to_string(const ColumnPredicate& predicate) {
    constexpr uint32_t kShownValues = 8;
    std::string text =
        fmt::format("{} {}", predicate.column_unique_id, predicate_op_name(predicate.op));
    if (predicate.values == nullptr) {
        return text;
    }
    const uint32_t count = predicate.values->size();
    for (uint32_t i = 0; i < std::min(count, kShownValues); ++i) {
        text += (i == 0 ? " [" : ", ") + Scalar::from_column(*predicate.values, i).to_string();
    }
    return text + (count > kShownValues ? fmt::format(", ... {} in all]", count) : "]");
}

void RuntimePredicates::add(ColumnPredicate predicate) {
    MutexLock lock(mutex_);
    predicates_.push_back(std::move(predicate));
    generation_.store(static_cast<uint32_t>(predicates_.size()), std::memory_order_release);
}

std::vector<ColumnPredicate> RuntimePredicates::since(uint32_t first) const {
    MutexLock lock(mutex_);
    return {predicates_.begin() + std::min<size_t>(first, predicates_.size()), predicates_.end()};
}

}  // namespace thetis
