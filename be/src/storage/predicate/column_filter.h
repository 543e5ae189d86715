// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "column/batch.h"

namespace thetis {

/// A test of single values that storage applies to pages without knowing what it stands for: the
/// keys of a join's build side, for one. NULL never passes. Immutable and thread-safe.
class ColumnFilter {
public:
    virtual ~ColumnFilter() = default;

    /// The columns it may be asked about.
    virtual PhysicalType physical() const = 0;

    /// False: no value between `min` and `max`, flat columns of one row, passes.
    virtual bool may_match(const Column& min, const Column& max) const = 0;

    /// passes[i] = 1 for each row of a flat column that passes, else 0. Says nothing about nulls.
    virtual void test(const Column& values, uint8_t* passes) const = 0;

    /// Keeps the rows of a flat column that pass: of all rows when `is_all`, else of those in
    /// `selection`. Does nothing, and returns false, when the filter is found to be of no use.
    virtual bool select(const Column& values, bool is_all, Selection& selection) const = 0;
};

}  // namespace thetis
