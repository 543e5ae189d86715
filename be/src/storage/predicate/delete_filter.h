// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "column/column.h"
#include "storage/predicate/predicate_evaluator.h"
#include "storage/tablet_schema.h"

namespace thetis {

/// The condition of one DELETE, ready to run: storage knows no expressions, whoever does hands in
/// an implementation. Immutable, thread-safe.
class DeleteFilter {
public:
    using ColumnTests = std::vector<std::unique_ptr<const PredicateEvaluator>>;

    virtual ~DeleteFilter() = default;

    /// What zone maps can be asked: every row the DELETE takes passes each of these tests.
    const ColumnTests& column_tests() const { return column_tests_; }

    /// Whether every row that passes all of column_tests() is taken.
    bool is_exact() const { return is_exact_; }

    /// What the condition reads.
    virtual const std::vector<int32_t>& column_unique_ids() const = 0;

    /// Sets taken[i] = 1 for each row the DELETE takes (where the condition is TRUE, not NULL).
    /// `columns` are those of column_unique_ids(), in any form; `taken` has num_rows zeroes.
    virtual Status match(
        std::span<const ColumnPtr> columns, uint32_t num_rows, std::span<uint8_t> taken
    ) const = 0;

protected:
    DeleteFilter(ColumnTests column_tests, bool is_exact)
        : column_tests_(std::move(column_tests)), is_exact_(is_exact) {}

private:
    const ColumnTests column_tests_;
    const bool is_exact_;
};

using DeleteFilterPtr = std::shared_ptr<const DeleteFilter>;

/// Makes the filter of a condition in its wire form over columns of `schema`; invalid_argument says
/// what is wrong with it.
using DeleteFilterCompiler =
    std::function<Result<DeleteFilterPtr>(std::string_view condition, const TabletSchema& schema)>;

}  // namespace thetis
