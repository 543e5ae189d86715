// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/status.h"
#include "column/batch.h"
#include "expr/expression.h"
#include "functions/registries.h"
#include "gen_thrift/plan_types.h"

namespace thetis {

/// The rows of a plan's literal columns as batches of at most kMaxBatchRows, one column per type.
/// Constant expressions are evaluated once each. Nothing of `values` is referred to afterwards.
/// INVALID_ARGUMENT: columns that do not fit the types, the number of rows or each other.
Result<std::vector<Batch>> batches_of_values(
    const wire::Values& values,
    std::span<const DataType> types,
    const FunctionRegistries& functions,
    EvalContext eval
);

}  // namespace thetis
