// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "base/status.h"
#include "column/builder.h"
#include "io/fs/file_system.h"
#include "storage/segment/segment_file.h"
#include "storage/tablet_schema.h"

namespace thetis {

/// Rows of one tablet in memory, as columns in order of arrival; ordered by key when they are
/// written out. Not thread-safe.
class Memtable {
public:
    explicit Memtable(TabletSchemaPtr schema);

    /// Rows `rows` of a batch with the schema's columns. invalid_argument when types differ or a
    /// NOT NULL column gets NULL.
    Status append(const Batch& batch, std::span<const uint16_t> rows);

    uint32_t num_rows() const { return num_rows_; }

    size_t memory_bytes() const;

    /// Writes all rows as one segment file; the memtable is empty afterwards. Column by column, so
    /// that only one is held twice.
    Result<SegmentFile> flush(const FileSystem& fs, const std::string& path, bool sync);

private:
    Status check(const Batch& batch) const;

    const TabletSchemaPtr schema_;
    std::vector<ColumnBuilder> builders_;
    uint32_t num_rows_ = 0;
};

}  // namespace thetis
