// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "expr/expression.h"
#include "storage/tablet/tablet_reader.h"

namespace thetis {

/// Moves what storage can evaluate from a scan's conjuncts (over its output columns) into its
/// predicates; what stays in `conjuncts` must still run on the scan's output.
void push_down(std::vector<ExpressionPtr>& conjuncts, ReadOptions& options);

}  // namespace thetis
