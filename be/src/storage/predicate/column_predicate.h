// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/thread/mutex.h"
#include "column/column.h"
#include "storage/predicate/column_filter.h"
#include "types/predicate_op.h"

namespace thetis {

/// One condition on one column against constants, as the scan can use it: no expression, no
/// catalog. A NULL row passes only kIsNull, as in SQL. A scan's predicates are joined by AND.
struct ColumnPredicate {
    int32_t column_unique_id = 0;
    PredicateOp op = PredicateOp::kEq;
    /// Flat, without nulls, of the column's physical type: one row; kIn and kNotIn any number (an
    /// empty kIn passes nothing); null pointer for kIsNull, kIsNotNull and kFilter.
    ColumnPtr values{};
    /// kFilter only.
    std::shared_ptr<const ColumnFilter> filter{};
};

/// `3 >= [12]`, for profiles and logs.
std::string to_string(const ColumnPredicate& predicate);

/// Predicates that become known while a scan runs (a join's build side, a Top-N bound). Readers
/// look once per batch. Thread-safe.
class RuntimePredicates {
public:
    /// Rows that fail `predicate` are not needed from now on; already delivered ones may have
    /// failed it.
    void add(ColumnPredicate predicate);

    /// Grows with every add. Relaxed reads suffice: being late only delivers rows that are filtered
    /// again above.
    uint32_t generation() const { return generation_.load(std::memory_order_acquire); }

    /// The predicates from position `first` on.
    std::vector<ColumnPredicate> since(uint32_t first) const;

private:
    mutable Mutex mutex_;  // Guards predicates_.
    std::vector<ColumnPredicate> predicates_ GUARDED_BY(mutex_);
    std::atomic<uint32_t> generation_{0};  // Size of predicates_, released after the entry is in.
};

}  // namespace thetis
