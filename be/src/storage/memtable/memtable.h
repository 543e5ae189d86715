// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/status.h"
#include "column/builder.h"
#include "io/fs/file_system.h"
#include "storage/memtable/sorted_rows.h"
#include "storage/memtable/write_layout.h"

namespace thetis {

/// Rows of one tablet in memory, as columns in order of arrival; ordered by key when they are
/// written out, and then, as the table's model says, of rows with one key only the last is left
/// (UNIQUE: of the largest sequence) or their values are aggregated. Not thread-safe.
class Memtable {
public:
    explicit Memtable(std::shared_ptr<const WriteLayout> layout);

    /// Takes all columns of the schema.
    explicit Memtable(TabletSchemaPtr schema);

    /// Rows `rows` of a batch with the layout's input columns. invalid_argument when types differ
    /// or a NOT NULL column gets NULL.
    Status append(const Batch& batch, std::span<const uint16_t> rows);

    uint32_t num_rows() const { return num_rows_; }

    size_t memory_bytes() const;

    /// All rows in key order, one per key where the model wants that; the memtable is empty
    /// afterwards.
    Result<SortedRows> take_sorted();

    /// take_sorted, completed and written as one segment file.
    Result<SegmentFile> flush(const FileSystem& fs, const std::string& path, bool sync);

private:
    Status check(const Batch& batch) const;
    /// Which rows stay where several have one key.
    std::vector<uint32_t> winners(
        std::span<const uint32_t> groups,
        std::span<const uint32_t> order,
        std::span<const ColumnPtr> columns
    ) const;

    const SchemaColumn& column(size_t input) const {
        return layout_->schema()->columns()[layout_->input()[input]];
    }

    const std::shared_ptr<const WriteLayout> layout_;
    std::vector<ColumnBuilder> builders_;  // One per input column.
    uint32_t num_rows_ = 0;
};

}  // namespace thetis
