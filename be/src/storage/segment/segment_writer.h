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
/// A file that was not finished is garbage.
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
    /// and size.
    Status finish(uint64_t num_rows, bool sync, pb::SegmentMeta& meta);

    /// Use create().
    SegmentWriter(std::unique_ptr<WritableFile> file, TabletSchemaPtr schema, bool sorted);

private:
    ColumnWriter& writer(size_t position);
    Status write_short_keys();
    Status write_footer();

    std::unique_ptr<WritableFile> file_;
    const TabletSchemaPtr schema_;
    const bool sorted_;
    std::vector<std::unique_ptr<ColumnWriter>> writers_;
    size_t num_finished_ = 0;
    std::vector<ColumnPtr> short_key_samples_;
    std::unique_ptr<pb::SegmentFooter> footer_;
};

}  // namespace thetis
