// SPDX-License-Identifier: Apache-2.0
#include "storage/compaction/row_positions.h"

#include <roaring/roaring.hh>

namespace thetis {

size_t RowPositions::add_segment(std::string rowset_id, uint32_t segment_id, uint32_t num_rows) {
    const size_t number = rows_.size();
    numbers_[{std::move(rowset_id), segment_id}] = number;
    rows_.emplace_back(num_rows, kDropped);
    return number;
}

SegmentMarks RowPositions::translate(
    const std::string& rowset_id, const SegmentMarks& marks, const std::vector<SegmentFile>& output
) const {
    std::vector<uint64_t> first_rows{0};
    for (const SegmentFile& segment : output) {
        first_rows.push_back(first_rows.back() + segment.num_rows);
    }
    std::vector<RowBitmap> moved(output.size());
    for (const auto& [segment_id, rows] : marks) {
        const auto number = numbers_.find({rowset_id, segment_id});
        if (number == numbers_.end()) {
            continue;
        }
        const std::vector<uint32_t>& places = rows_[number->second];
        for (const uint32_t row : *rows) {
            if (row >= places.size() || places[row] == kDropped) {
                continue;
            }
            const auto after =
                std::upper_bound(first_rows.begin(), first_rows.end(), uint64_t{places[row]});
            const auto segment = static_cast<size_t>(after - first_rows.begin() - 1);
            moved[segment].add(static_cast<uint32_t>(places[row] - first_rows[segment]));
        }
    }
    SegmentMarks result;
    for (size_t i = 0; i < output.size(); ++i) {
        if (!moved[i].isEmpty()) {
            moved[i].runOptimize();
            add_marks(result, output[i].id, std::make_shared<const RowBitmap>(std::move(moved[i])));
        }
    }
    return result;
}

}  // namespace thetis
