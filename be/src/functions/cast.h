// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/status.h"
#include "column/column.h"
#include "functions/eval_context.h"

namespace thetis {

/// Converts a column to another type as SQL CAST does: what does not convert is NULL; decimals that
/// do not fit are an `Arithmetic overflow` error. Dictionary and constant forms are kept. The
/// result is `column` itself when nothing changes.
Result<ColumnPtr> cast_column(
    const ColumnPtr& column, const DataType& target, EvalContext& context
);

}  // namespace thetis
