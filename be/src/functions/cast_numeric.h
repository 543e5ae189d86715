// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/status.h"
#include "column/column.h"
#include "functions/eval_context.h"

namespace thetis {

/// Conversions between flat columns of numbers: booleans, integers, floats and decimals. Parts of
/// cast_column.

/// Between everything but decimals. Integers wrap, floats are cut toward zero (NaN becomes NULL),
/// booleans are value <> 0.
ColumnPtr cast_plain_number(const ColumnPtr& column, const DataType& target);

/// Decimal to decimal: rounds half up; what does not fit is an error, or wraps when `context` does
/// not check.
Result<ColumnPtr> cast_decimal(
    const ColumnPtr& column, const DataType& target, const EvalContext& context
);

/// Integer or boolean to decimal, and float to decimal (NaN and infinity become NULL).
Result<ColumnPtr> cast_to_decimal(
    const ColumnPtr& column, const DataType& target, const EvalContext& context
);

/// Decimal to integer (cut toward zero, then wraps), boolean or float.
ColumnPtr cast_from_decimal(const ColumnPtr& column, const DataType& target);

}  // namespace thetis
