// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "column/batch.h"

namespace thetis {

/// The encoded cells of one column for the selected rows of a batch, one after another.
struct EncodedCells {
    std::vector<char> bytes;
    std::vector<uint32_t> ends;  ///< Cell i is [ends[i - 1], ends[i]).
    std::vector<uint8_t> nulls;  ///< Binary rows: 1 where the cell is NULL (and empty).
};

/// Length-encoded integer of the MySQL protocol at `out` (up to 9 bytes); returns the end.
char* write_length(char* out, uint64_t length);

/// Encodes one column; dispatches on its type once. Text: NULL is the byte 0xFB.
void encode_text_cells(const Column& column, const Batch& batch, EncodedCells& cells);
void encode_binary_cells(const Column& column, const Batch& batch, EncodedCells& cells);

}  // namespace thetis
