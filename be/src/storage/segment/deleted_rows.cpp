// SPDX-License-Identifier: Apache-2.0
#include "storage/segment/deleted_rows.h"

#include <roaring/roaring.hh>

namespace thetis {

struct DeletedRows::Cursor {
    explicit Cursor(std::shared_ptr<const Roaring> rows) : deleted(std::move(rows)) {
        roaring_init_iterator(&deleted->roaring, &position);
    }

    std::shared_ptr<const Roaring> deleted;
    roaring_uint32_iterator_t position{};
    uint32_t next_row = 0;  // Where the last window ended; the position is at or after it.
};

DeletedRows::DeletedRows(std::shared_ptr<const Roaring> deleted)
    : cursor_(
          deleted == nullptr || deleted->isEmpty() ? nullptr
                                                   : std::make_unique<Cursor>(std::move(deleted))
      ) {}

DeletedRows::~DeletedRows() = default;

const Selection& DeletedRows::in(uint32_t first_row, uint32_t num_rows) {
    positions_.clear();
    if (cursor_ == nullptr) {
        return positions_;
    }
    auto& position = cursor_->position;
    if (first_row < cursor_->next_row) {
        roaring_init_iterator(&cursor_->deleted->roaring, &position);
    }
    cursor_->next_row = first_row + num_rows;
    if (position.has_value && position.current_value < first_row) {
        roaring_move_uint32_iterator_equalorlarger(&position, first_row);
    }
    while (position.has_value && position.current_value - first_row < num_rows) {
        positions_.push_back(static_cast<uint16_t>(position.current_value - first_row));
        roaring_advance_uint32_iterator(&position);
    }
    return positions_;
}

void subtract(const Selection& dropped, uint32_t num_rows, bool is_all, Selection& selection) {
    size_t next = 0;
    uint32_t kept = 0;
    if (is_all) {
        selection.resize(num_rows);
        for (uint32_t row = 0; row < num_rows; ++row) {
            const bool is_dropped = next < dropped.size() && dropped[next] == row;
            selection[kept] = static_cast<uint16_t>(row);
            kept += is_dropped ? 0 : 1;
            next += is_dropped ? 1 : 0;
        }
    } else {
        for (const uint16_t row : selection) {
            while (next < dropped.size() && dropped[next] < row) {
                ++next;
            }
            selection[kept] = row;
            kept += next < dropped.size() && dropped[next] == row ? 0 : 1;
        }
    }
    selection.resize(kept);
}

}  // namespace thetis
