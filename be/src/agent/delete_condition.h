// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/predicate/delete_filter.h"

namespace thetis {

struct FunctionRegistries;

/// Reads conditions that are wire::DeletePredicate in Thrift compact form. `functions` outlives
/// what it makes.
DeleteFilterCompiler delete_condition_compiler(const FunctionRegistries& functions);

}  // namespace thetis
