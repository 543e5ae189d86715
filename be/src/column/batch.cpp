// SPDX-License-Identifier: Apache-2.0
#include "column/batch.h"

namespace thetis {

Batch Batch::compact() const {
    if (selection == nullptr) {
        return *this;
    }
    Batch dense;
    dense.num_rows = num_selected();
    dense.columns.reserve(columns.size());
    for (const ColumnPtr& column : columns) {
        dense.columns.push_back(
            dense.num_rows == num_rows ? column : gather(column, selection->data(), dense.num_rows)
        );
    }
    return dense;
}

size_t Batch::memory_bytes() const {
    size_t bytes =
        sizeof(Batch) + (selection == nullptr ? 0 : selection->size() * sizeof(uint16_t));
    for (const ColumnPtr& column : columns) {
        bytes += column->memory_bytes();
    }
    return bytes;
}

}  // namespace thetis
