// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "column/batch.h"
#include "column/scalar.h"

namespace thetis {

struct SortOrder {
    bool ascending = true;
    bool nulls_first = true;
    bool operator==(const SortOrder&) const = default;
};

/// Keys of many rows as byte strings that memcmp orders like the rows, one after another.
class SortKeys {
public:
    uint32_t size() const { return static_cast<uint32_t>(offsets_.size()) - 1; }

    std::string_view operator[](uint32_t row) const {
        return {bytes_.data() + offsets_[row], offsets_[row + 1] - offsets_[row]};
    }

    /// First eight bytes big-endian, zero padded: decides most comparisons.
    uint64_t prefix(uint32_t row) const;

    size_t memory_bytes() const {
        return bytes_.capacity() + offsets_.capacity() * sizeof(uint64_t);
    }

    void clear() {
        bytes_.clear();
        offsets_.assign(1, 0);
    }

    std::string& bytes() { return bytes_; }

    std::vector<uint64_t>& offsets() { return offsets_; }

private:
    std::string bytes_;
    std::vector<uint64_t> offsets_{0};
};

/// Encodes rows into normalised keys. Per column: one byte for null or not (always, so that keys of
/// all rows align), then the value: integers big-endian with the sign bit flipped, floats with -0.0
/// = 0.0 and NaN greatest, strings with 0x00 as 0x00 0xFF and the end as 0x00 0x00; all bits
/// inverted for descending columns.
class SortKeyEncoder {
public:
    SortKeyEncoder(std::vector<DataType> types, std::vector<SortOrder> orders);

    /// Appends a key per selected row (all rows without a selection). `columns` have the types
    /// given at construction.
    void encode(
        std::span<const ColumnPtr> columns,
        const Selection* selection,
        uint32_t num_rows,
        SortKeys& keys
    ) const;

    /// The key of one row given as values; fewer values than columns make a prefix of keys.
    std::string encode_row(std::span<const Scalar> values) const;

    /// Appends the key of one row without nulls whose values stand one after another: fixed-width
    /// ones little-endian at their physical width, strings as a 4-byte length and the bytes. False,
    /// with anything appended, when the bytes are no such row.
    bool encode_packed(std::string_view packed, std::string& key) const;

    /// Bytes of every key when no column is a string, else 0.
    uint32_t fixed_bytes() const { return fixed_bytes_; }

private:
    std::vector<DataType> types_;
    std::vector<SortOrder> orders_;
    uint32_t fixed_bytes_;
};

}  // namespace thetis
