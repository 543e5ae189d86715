// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "io/fs/file_system.h"
#include "storage/memtable/write_layout.h"
#include "storage/segment/segment_file.h"

namespace thetis {

/// Rows of one segment in the order they will be written, held as they arrived; a column is put in
/// order when it is written, so that only one is held twice. Not thread-safe.
class SortedRows {
public:
    /// `order`: which arrived row stands at each place; empty: as they arrived.
    SortedRows(
        std::shared_ptr<const WriteLayout> layout, uint32_t num_rows, std::vector<uint32_t> order
    );

    uint32_t num_rows() const { return num_rows_; }

    const WriteLayout& layout() const { return *layout_; }

    /// Sets a column as it arrived.
    void set_arrived(size_t position, ColumnPtr column);
    /// Sets a column that is in order already, num_rows() long.
    void set_ordered(size_t position, ColumnPtr column);

    bool has(size_t position) const { return sources_[position].column != nullptr; }

    /// Rows [row, row + count) in order; the column is there.
    ColumnPtr part(size_t position, uint32_t row, uint32_t count) const;

    /// Drops all rows but these, ascending.
    void keep(std::span<const uint32_t> rows);

    /// Gives absent columns their defaults and encodes the row store.
    Status complete();

    /// Writes all rows as one segment file; the rows are gone afterwards.
    Result<SegmentFile> write(const FileSystem& fs, const std::string& path, bool sync);

private:
    struct Source {
        ColumnPtr column;
        bool is_ordered = false;
    };

    Status encode_row_store(size_t position);

    const std::shared_ptr<const WriteLayout> layout_;
    uint32_t num_rows_;
    std::vector<uint32_t> order_;
    std::vector<Source> sources_;  // One per column of the layout's schema.
};

/// What an absent column of a new row holds: the default, else NULL; null pointer when it is NOT
/// NULL and has none.
ColumnPtr default_of(const SchemaColumn& column);

}  // namespace thetis
