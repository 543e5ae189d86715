// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "column/sort_key.h"
#include "storage/segment/row_cells.h"
#include "storage/tablet/point_view.h"
#include "storage/tablet/row_cache.h"
#include "storage/tablet_schema.h"

namespace thetis {

class Tablet;

/// The columns that key look-ups want of a merge-on-write table under one schema. Immutable,
/// shared by every look-up of a prepared plan.
class PointColumns {
public:
    /// not_found for an unknown column id; invalid_argument when the table has no merge-on-write or
    /// a column is named twice.
    static Result<std::shared_ptr<const PointColumns>> create(
        TabletSchemaPtr schema, std::span<const int32_t> column_unique_ids
    );

    size_t size() const { return num_wanted_; }

    const DataType& type(size_t i) const { return columns_[i].type; }

    const TabletSchemaPtr& schema() const { return schema_; }

    /// Appends the encoded key (make_key_encoder) of key values as a look-up brings them
    /// (SortKeyEncoder::encode_packed); invalid_argument when they are none.
    Status encode_key(std::string_view packed, std::string& key) const;

    /// Use create().
    PointColumns(TabletSchemaPtr schema, SortKeyEncoder encoder);

private:
    friend class PointReader;

    struct Column {
        int32_t unique_id = 0;
        DataType type{};
        ColumnPtr missing_value{};  // What `missing` points into.
        RowCell missing{};
        bool is_version = false;
    };

    const TabletSchemaPtr schema_;
    const SortKeyEncoder encoder_;
    size_t num_wanted_ = 0;
    std::vector<Column> columns_;  // The wanted ones, then the delete sign unless it is wanted.
    std::optional<size_t> sign_;   // Position of the delete sign.
    RowCellReader cells_;          // Of all columns.
};

/// Finds rows by key, one after another, and says where the values of their columns lie. Keeps room
/// between calls; for one thread at a time.
class PointReader {
public:
    /// Looks an encoded key up; false when there is no row, or one with the delete sign. `view` is
    /// that of `tablet` at the wanted version; both outlive what cells() points at. `cache` may be
    /// null.
    Result<bool> find(
        const Tablet& tablet,
        const PointView& view,
        const PointColumns& columns,
        std::string_view key,
        RowCache* cache
    );

    /// Of the row just found, by position in PointColumns: values and NULLs only. Valid until the
    /// next call.
    const RowCell* cells() const { return cells_.data(); }

    /// Whether the last call was answered by the row cache.
    bool was_cached() const { return was_cached_; }

    /// Lets go of pages and rows; for the end of a call.
    void release();

private:
    struct Scratch {
        alignas(16) char bytes[16];
    };

    Result<bool> find_row(
        const Tablet& tablet,
        const PointView& view,
        const PointColumns& columns,
        std::string_view key,
        RowCache* cache
    );
    Result<bool> find_in_segments(
        const Tablet& tablet,
        const PointView& view,
        const PointColumns& columns,
        std::string_view key,
        uint64_t hash,
        std::string_view known_row
    );
    Status read_row(const PointView::Row& row, const PointColumns& columns);
    Status read_cell(const PointView::Row& row, const PointColumns::Column& column, size_t i);
    Status read_page_cell(
        const PointSegment::Opened& opened,
        int32_t unique_id,
        const DataType& type,
        uint32_t row,
        Scratch& scratch,
        RowCell& cell
    );
    void fill_in_missing(const PointColumns& columns);

    RowCache* cache_ = nullptr;  // Of the call that runs.
    std::vector<RowCell> cells_;
    std::vector<Scratch> scratch_;  // Values that lie nowhere else, by column.
    Scratch row_scratch_{};
    std::string_view stored_row_;  // What the row store has of the row; empty: nothing.
    bool is_whole_ = false;        // That is all that is wanted.
    std::vector<std::shared_ptr<const void>> held_;  // What cells point into.
    bool was_cached_ = false;
};

}  // namespace thetis
