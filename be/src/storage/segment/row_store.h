// SPDX-License-Identifier: Apache-2.0
// Whole rows as byte strings, keyed by column unique id: what point look-ups and partial updates
// read instead of one page per column. docs/formats/row_store.md has the bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "column/batch.h"
#include "column/builder.h"
#include "storage/tablet_schema.h"

namespace thetis {

/// Unique ids of the columns a schema's row store holds, ascending; empty without a row store.
std::vector<int32_t> row_store_columns(const TabletSchema& schema);

/// Appends one encoded row per row of the columns (equally long, any form) to `rows`, a builder of
/// strings. `unique_ids` ascend.
void encode_row_store(
    std::span<const int32_t> unique_ids, std::span<const ColumnPtr> columns, ColumnBuilder& rows
);

/// A column wanted of encoded rows.
struct RowStoreColumn {
    int32_t unique_id = 0;
    DataType type{};
    ColumnPtr missing_value{};  ///< Flat, one row: for rows without the column; null: NULL.
};

/// Reads columns from encoded rows (a column of strings without nulls). Corruption when a row's
/// structure is wrong or a value does not have its column's width.
Result<std::vector<ColumnPtr>> decode_row_store(
    const Column& rows, std::span<const RowStoreColumn> columns
);

}  // namespace thetis
