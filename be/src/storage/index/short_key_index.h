// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "storage/predicate/column_predicate.h"
#include "storage/tablet_schema.h"

namespace thetis {

/// Limits of the sparse index over a sorted segment: so many leading key columns, cut to so many
/// bytes.
inline constexpr size_t kMaxShortKeyColumns = 3;
inline constexpr size_t kMaxShortKeyBytes = 36;
inline constexpr uint32_t kRowsPerShortKey = 1024;

/// Rows [begin, end) of a segment.
struct RowRange {
    uint32_t begin = 0;
    uint32_t end = 0;
    bool operator==(const RowRange&) const = default;
};

/// The normalised key of every 1024th row of a sorted segment. Immutable.
class ShortKeyIndex {
public:
    /// `entries`: a string column, one row per 1024 rows of the segment, ascending.
    static Result<std::unique_ptr<ShortKeyIndex>> open(
        ColumnPtr entries, uint32_t num_rows, std::vector<DataType> key_types
    );

    /// The rows that may hold keys allowed by `predicates` on the leading columns `key_unique_ids`.
    /// Never empty-handed: all rows when no predicate helps.
    RowRange find_rows(
        std::span<const int32_t> key_unique_ids, std::span<const ColumnPredicate> predicates
    ) const;

    /// The key of row i * kRowsPerShortKey.
    std::string_view entry(uint32_t i) const { return entries_->values<StringRef>()[i].view(); }

    /// The first entry that is not below `key`; their number when there is none.
    uint32_t first_entry_at_least(std::string_view key) const;

    /// Use open().
    ShortKeyIndex(ColumnPtr entries, uint32_t num_rows, std::vector<DataType> key_types);

private:
    ColumnPtr entries_;
    uint32_t num_rows_;
    std::vector<DataType> key_types_;
};

/// Encodes one key per row of the given columns (flat, equally long), cut as the index wants them.
ColumnPtr encode_short_keys(std::span<const ColumnPtr> key_columns);

}  // namespace thetis
