// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/status.h"
#include "column/batch.h"
#include "storage/rowset/rowset.h"
#include "storage/tablet_schema.h"

namespace thetis {

/// The rows that a partial update's keys have now, found once and read column by column.
class OldRows {
public:
    /// Looks the keys (flat key columns of `schema`, ascending rows) up in `rowsets` at `version`.
    static Result<OldRows> find(
        TabletSchemaPtr schema,
        std::span<const RowsetPtr> rowsets,
        int64_t version,
        std::span<const ColumnPtr> keys
    );

    uint32_t num_rows() const { return num_rows_; }

    /// How many keys have a row, deleted by sign or not.
    uint32_t num_found() const { return num_found_; }

    /// How many keys have no row, or one with the delete sign.
    uint32_t num_missing() const { return num_missing_; }

    bool is_found(uint32_t row) const { return places_[row] >= 0; }

    /// Whether the key has no row, or one with the delete sign.
    bool is_missing(uint32_t row) const { return places_[row] < 0 || is_signed_[row] != 0; }

    /// The columns of all keys, in their order: of the old row, else of `new_values`, else the
    /// default (also where the old row has the delete sign; not its sequence, which must not go
    /// back).
    /// invalid_argument when a NOT NULL column without default has no old row, unless
    /// `any_default`: the rows of missing keys are of no use to anybody.
    Result<std::vector<ColumnPtr>> read(
        std::span<const size_t> positions, std::span<const NewValue> new_values, bool any_default
    ) const;

    /// What the column of a new row holds: the value given for it, else its default, else NULL;
    /// null pointer when that is NULL and the column NOT NULL.
    static Result<ColumnPtr> new_value_of(
        const SchemaColumn& column, std::span<const NewValue> new_values
    );

private:
    /// Found rows of one segment, ascending.
    struct Source {
        std::shared_ptr<const Segment> segment;
        std::vector<uint32_t> rows;
    };

    Status find_keys(
        std::span<const RowsetPtr> rowsets, int64_t version, std::span<const ColumnPtr> keys
    );
    Status drop_signed_rows();
    Result<ColumnPtr> read_found(const Source& source, const SchemaColumn& column) const;
    Result<std::vector<ColumnPtr>> read_source(
        const Source& source, std::span<const size_t> positions
    ) const;

    TabletSchemaPtr schema_;
    uint32_t num_rows_ = 0;
    uint32_t num_found_ = 0;
    uint32_t num_missing_ = 0;
    std::vector<Source> sources_;
    std::vector<int32_t> places_;  // Per key: position among all found rows, by source; -1: none.
    std::vector<uint8_t> is_signed_;  // Per key: the old row is there but deleted.
};

}  // namespace thetis
