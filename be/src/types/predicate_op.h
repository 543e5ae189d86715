// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace thetis {

/// Comparisons of a column with constants that indexes and encoded pages understand. kPrefix:
/// strings that start with the value. kFilter: what a ColumnFilter lets pass.
enum class PredicateOp : uint8_t {
    kEq,
    kNe,
    kLt,
    kLe,
    kGt,
    kGe,
    kIn,
    kNotIn,
    kIsNull,
    kIsNotNull,
    kPrefix,
    kFilter
};

}  // namespace thetis
