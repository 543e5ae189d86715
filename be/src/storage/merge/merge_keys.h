// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "column/sort_key.h"

namespace thetis {

/// A normalised key of any length: its first bytes decide most comparisons.
struct ByteKey {
    uint64_t prefix = 0;
    const char* data = nullptr;
    uint32_t size = 0;

    bool operator<(const ByteKey& other) const {
        return prefix != other.prefix ? prefix < other.prefix : compare_rest(other) < 0;
    }

    bool operator==(const ByteKey& other) const {
        return prefix == other.prefix && compare_rest(other) == 0;
    }

private:
    int compare_rest(const ByteKey& other) const {
        return std::string_view(data, size).compare(std::string_view(other.data, other.size));
    }
};

using WideKey = unsigned __int128;

/// Bits that all values of these types take side by side, with one more per nullable column; 0
/// when one is a string.
uint32_t packed_key_bits(std::span<const DataType> types);

/// One number per row that orders like the columns (any form), when packed_key_bits of `types` fits
/// Key (uint64_t, WideKey).
template <typename Key>
void pack_keys(
    std::span<const DataType> types,
    std::span<const ColumnPtr> columns,
    uint32_t num_rows,
    std::vector<Key>& keys
);

/// The same for one column, which may take all of the bits: NULL is as the smallest value.
void pack_sequences(const ColumnPtr& column, uint32_t num_rows, std::vector<WideKey>& keys);

/// The same for keys of any length; `bytes` holds what the keys point into.
void encode_keys(
    const SortKeyEncoder& encoder,
    std::span<const ColumnPtr> columns,
    uint32_t num_rows,
    SortKeys& bytes,
    std::vector<ByteKey>& keys
);

}  // namespace thetis
