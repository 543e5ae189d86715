// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "column/batch.h"
#include "io/fs/file_system.h"
#include "storage/tablet_schema.h"

namespace thetis {

class ColumnWriter;

namespace pb {
class SegmentFooter;
class SegmentMeta;
}  // namespace pb

/// Writes one segment file. Rows come either as batches (append), or one column whole after another
/// (append_column, finish_column), which holds only one column's pages in memory. Not thread-safe.
/// A file that was not finished is garbage. Sorted segments of a merge-on-write schema get a
/// primary-key index; their keys must differ.
class SegmentWriter {
public:
    /// `sorted`: rows will ascend by the key columns, so a short-key index is of use.
    static Result<std::unique_ptr<SegmentWriter>> create(
        const FileSystem& fs, const std::string& path, TabletSchemaPtr schema, bool sorted
    );
    ~SegmentWriter();

    /// All columns of some rows, in schema order.
    Status append(const std::vector<ColumnPtr>& columns);

    /// Some rows of one column. Columns are finished in schema order, with equal numbers of rows.
    Status append_column(size_t position, const ColumnPtr& rows);
    Status finish_column(size_t position);

    /// Writes what is missing and the footer, and makes the file durable when `sync`. Fills in rows
    /// and size, and the bounds of the keys of a sorted segment.
    Status finish(uint64_t num_rows, bool sync, pb::SegmentMeta& meta);

    /// Use create().
    SegmentWriter(std::unique_ptr<WritableFile> file, TabletSchemaPtr schema, bool sorted);

private:
    ColumnWriter& writer(size_t position);
    Status write_short_keys();
    void keep_keys(size_t position, const ColumnPtr& rows);
    Status write_primary_keys();
    Status set_bounds(pb::SegmentMeta& meta) const;
    Status write_footer();

    std::unique_ptr<WritableFile> file_;
    const TabletSchemaPtr schema_;
    const bool sorted_;
    std::vector<std::unique_ptr<ColumnWriter>> writers_;
    size_t num_finished_ = 0;
    std::vector<ColumnPtr> short_key_samples_;
    /// Sorted: the first and the last row of each key column.
    std::vector<std::pair<ColumnPtr, ColumnPtr>> key_bounds_;
    /// Merge-on-write: all rows of the key columns and the sequence column, until the end.
    std::vector<std::vector<ColumnPtr>> keys_;
    std::unique_ptr<pb::SegmentFooter> footer_;
};

}  // namespace thetis
