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
#include "storage/tablet_schema.h"

namespace thetis {

/// The condition of one DELETE, ready to run: storage knows no expressions, whoever does hands in
/// an implementation. Immutable, thread-safe.
class DeleteFilter {
public:
    virtual ~DeleteFilter() = default;

    /// What the condition reads.
    virtual const std::vector<int32_t>& column_unique_ids() const = 0;

    /// Sets taken[i] = 1 for each row the DELETE takes (where the condition is TRUE, not NULL).
    /// `columns` are those of column_unique_ids(), in any form; `taken` has num_rows zeroes.
    virtual Status match(
        std::span<const ColumnPtr> columns, uint32_t num_rows, std::span<uint8_t> taken
    ) const = 0;
};

using DeleteFilterPtr = std::shared_ptr<const DeleteFilter>;

/// Makes the filter of a condition in its wire form over columns of `schema`; invalid_argument says
/// what is wrong with it.
using DeleteFilterCompiler =
    std::function<Result<DeleteFilterPtr>(std::string_view condition, const TabletSchema& schema)>;

}  // namespace thetis
