// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "column/batch.h"
#include "storage/segment/segment_source.h"

namespace thetis {

/// A column as a scan thinks of it, whatever the segment has.
struct ScanColumn {
    int32_t unique_id = 0;
    DataType type{};
    ColumnPtr missing_value{
    };  ///< Flat, one row: for segments without the column; null pointer: NULL.
};

/// Reads row windows of one column of one segment, remembering the page it is in. Dictionary pages
/// come out as dictionary columns over the segment's dictionary. A column the segment does not have
/// gives constants. Not thread-safe.
class ColumnReader {
public:
    /// `version_id`: the column that source.version fills in, if any.
    static Result<std::unique_ptr<ColumnReader>> open(
        const SegmentSource& source,
        const ScanColumn& column,
        std::optional<int32_t> version_id,
        bool use_page_cache = true
    );

    /// Rows [first_row, first_row + num_rows), which lie in the segment.
    Result<ColumnPtr> read(uint32_t first_row, uint32_t num_rows);
    /// Rows first_row + positions[i]; positions ascend and are not empty.
    Result<ColumnPtr> read(uint32_t first_row, const Selection& positions);

    /// Null when the segment does not have the column.
    const ColumnPages* pages() const { return pages_.get(); }

    const DataType& type() const { return type_; }

    const PageReadCounts& counts() const { return counts_; }

    /// Use open().
    ColumnReader(std::shared_ptr<const Segment> segment, const DataType& type)
        : segment_(std::move(segment)), type_(type) {}

private:
    Status seek(uint32_t row);
    ColumnPtr decode(uint32_t first_row, uint32_t num_rows);
    ColumnPtr gather(uint32_t first_row, const uint16_t* positions, uint32_t num_positions);
    ColumnPtr make_column(uint32_t num_rows, BufferPtr values, BufferPtr valid) const;

    const std::shared_ptr<const Segment> segment_;
    const DataType type_;
    std::shared_ptr<const ColumnPages> pages_;
    ColumnPtr missing_;  // One row, when pages_ is null.
    std::shared_ptr<const DataPage> page_;
    uint32_t page_begin_ = 0;
    uint32_t page_end_ = 0;
    bool use_page_cache_ = true;
    PageReadCounts counts_;
};

}  // namespace thetis
