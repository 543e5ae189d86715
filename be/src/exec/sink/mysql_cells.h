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

/// Writes single values of one type, where rows do not come in batches. Immutable, thread-safe.
class CellEncoder {
public:
    CellEncoder(const DataType& type, bool binary);

    /// Whether the type has this way at all; else values must come as columns.
    bool is_supported() const { return form_ != Form::kOther; }

    /// Most bytes that write() takes for a value of `size_bytes`.
    static size_t max_bytes(size_t size_bytes) { return 64 + size_bytes; }

    /// Writes the cell of a value given by the bytes of its physical form (strings: the text, so
    /// `size_bytes` counts) and returns the end; null when the cell is NULL (not a number).
    char* write(char* out, const char* value, size_t size_bytes) const;

    /// What stands for NULL: one byte in text rows, nothing in binary ones.
    char* write_null(char* out) const;

private:
    enum class Form : uint8_t {
        kOther,
        kNull,
        kString,
        kBoolean,
        kTinyint,
        kSmallint,
        kInt,
        kBigint,
        kLargeint,
        kFloat,
        kDouble,
        kDecimal32,
        kDecimal64,
        kDecimal128,
        kDate,
        kDatetime,
        kTime,
        kPlain1,  // Binary rows from here on.
        kPlain2,
        kPlain4,
        kPlain8,
        kBinaryFloat,
        kBinaryDouble,
        kBinaryDate,
        kBinaryDatetime,
        kBinaryTime
    };

    static Form text_form(const DataType& type);
    static Form form_of(const DataType& type, bool binary);

    Form form_;
    bool is_binary_;
    uint8_t scale_;
};

}  // namespace thetis
