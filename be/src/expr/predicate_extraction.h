// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "column/scalar.h"
#include "expr/expression.h"
#include "types/predicate_op.h"

namespace thetis {

/// A conjunct that compares one input column with constants: what indexes and encoded pages can
/// use. Rows where it is not true (NULL included) are dropped.
struct SimplePredicate {
    int position = 0;  ///< Input column.
    PredicateOp op = PredicateOp::kEq;
    std::vector<Scalar> operands;  ///< One value; several for IN; none for IS NULL. Never null
                                   ///< values. kPrefix: the prefix.
    size_t conjunct = 0;           ///< Which conjunct it came from.
    bool is_exact =
        true;  ///< False: only necessary (LIKE 'a%b' gives a prefix); the conjunct must still run.
};

/// Finds `slot op literal` (either way round), IN, IS [NOT] NULL, `LIKE 'x%'` and `slot op literal
/// OR ...` over one column as IN. Conjuncts that are something else give nothing.
std::vector<SimplePredicate> extract_predicates(std::span<const ExpressionPtr> conjuncts);

/// The operands as a flat column that storage compares a column of `type` with; a null pointer when
/// one has another physical form.
ColumnPtr operand_column(const SimplePredicate& predicate, const DataType& type);

}  // namespace thetis
