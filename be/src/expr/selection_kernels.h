// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "types/predicate_op.h"
#include "types/string_ref.h"

namespace thetis {

/// Kernels that turn a comparison with a constant straight into row positions, without a boolean
/// column between. `out` has room for num_rows + 16 positions. They return how many rows passed.
/// Ops: kEq .. kGe. T: a physical C++ type.

/// All rows 0 .. num_rows; `valid` may be null.
template <typename T>
uint32_t select_all(
    const T* values,
    const uint64_t* valid,
    uint32_t num_rows,
    PredicateOp op,
    T constant,
    uint16_t* out
);

/// The rows in `rows` (ascending); `out` may be `rows`.
template <typename T>
uint32_t select_some(
    const T* values,
    const uint64_t* valid,
    const uint16_t* rows,
    uint32_t num_rows,
    PredicateOp op,
    T constant,
    uint16_t* out
);

/// Rows whose byte in `flags` is not zero and which are valid.
uint32_t select_flags(
    const uint8_t* flags, const uint64_t* valid, uint32_t num_rows, uint16_t* out
);

}  // namespace thetis
