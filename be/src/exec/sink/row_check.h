// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "column/batch.h"

namespace thetis {

/// What a table's column may hold.
struct ColumnRule {
    std::string name;
    DataType type;
};

/// Called with a batch row and why it does not fit; once per row.
using RejectRow = std::function<void(uint32_t row, std::string reason)>;

/// Drops from the selection the rows that break a rule: NULL in a NOT NULL column, text longer than
/// its type, decimals with too many digits. `rules` are for the first columns of the batch.
void check_rows(const std::vector<ColumnRule>& rules, Batch& batch, const RejectRow& reject);

}  // namespace thetis
