// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "storage/rowset/delete_bitmap.h"
#include "storage/segment/segment_file.h"

namespace thetis {

/// Where the rows of a compaction's inputs are in its output, so that marks made meanwhile can
/// follow them. Not thread-safe.
class RowPositions {
public:
    static constexpr uint32_t kDropped = UINT32_MAX;

    bool empty() const { return rows_.empty(); }

    /// All rows of this input segment are dropped until place() says otherwise. Gives the number of
    /// the segment for place(). Segments are added in the order of the merge's runs.
    size_t add_segment(std::string rowset_id, uint32_t segment_id, uint32_t num_rows);

    /// Row `row` of input segment `number` is row `output_row` of the whole output.
    void place(size_t number, uint32_t row, uint32_t output_row) {
        rows_[number][row] = output_row;
    }

    /// The same rows in the output whose segments are these; dropped rows are left out.
    SegmentMarks translate(
        const std::string& rowset_id,
        const SegmentMarks& marks,
        const std::vector<SegmentFile>& output
    ) const;

private:
    std::map<std::pair<std::string, uint32_t>, size_t> numbers_;
    std::vector<std::vector<uint32_t>> rows_;
};

}  // namespace thetis
