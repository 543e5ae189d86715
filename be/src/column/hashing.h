// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "column/batch.h"

namespace thetis {

/// 64-bit hashes of the key columns' rows for joins, grouping and local shuffles (in memory only).
/// hashes[i] is for row selection[i], or row i without a selection. NULLs hash equally; -0.0 as
/// 0.0; equal strings equally in any form. Integral columns of different width hash equal values
/// equally.
void hash_rows(
    std::span<const ColumnPtr> columns,
    const Selection* selection,
    uint32_t num_rows,
    uint64_t* hashes
);

/// Adds one more column to hashes made before (`combine`), or starts them.
void hash_column(
    const Column& column,
    const Selection* selection,
    uint32_t num_rows,
    bool combine,
    uint64_t* hashes
);

}  // namespace thetis
