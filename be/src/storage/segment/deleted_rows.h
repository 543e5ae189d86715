// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "column/batch.h"
#include "storage/segment/segment_source.h"

namespace thetis {

/// Walks the deleted rows of a segment beside a scan of it: costs nothing per row that is not
/// deleted. Windows mostly ascend. Not thread-safe.
class DeletedRows {
public:
    explicit DeletedRows(std::shared_ptr<const Roaring> deleted);
    ~DeletedRows();

    /// The deleted rows of [first_row, first_row + num_rows), as ascending positions in it. Valid
    /// until the next call.
    const Selection& in(uint32_t first_row, uint32_t num_rows);

private:
    struct Cursor;
    std::unique_ptr<Cursor> cursor_;  // Null when nothing is deleted.
    Selection positions_;
};

/// Takes `dropped` out of `selection` (all of num_rows when `is_all`); both ascend.
void subtract(const Selection& dropped, uint32_t num_rows, bool is_all, Selection& selection);

}  // namespace thetis
