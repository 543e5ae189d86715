// SPDX-License-Identifier: Apache-2.0
// The entries of encoded rows (docs/formats/row_store.md). For .cpp files of this folder.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "types/data_type.h"

namespace thetis::row_entry {

inline constexpr uint8_t kFormat = 1;

/// The low three bits of an entry's head: how its value is held.
enum class ValueKind : uint32_t {
    kNull = 0,
    kBytes1,
    kBytes2,
    kBytes4,
    kBytes8,
    kBytes16,
    kText,
    kAbsent  ///< Never on disk: the segment did not have the column, its default holds.
};

inline ValueKind kind_of(PhysicalType type) {
    if (type == PhysicalType::kString) {
        return ValueKind::kText;
    }
    return static_cast<ValueKind>(std::bit_width(static_cast<unsigned>(physical_size(type))));
}

inline size_t number_bytes(uint64_t value) {
    return (static_cast<size_t>(std::bit_width(value | 1)) + 6) / 7;
}

inline char* append_number(char* out, uint64_t value) {
    while (value >= 0x80) {
        *out++ = static_cast<char>(value | 0x80);
        value >>= 7;
    }
    *out++ = static_cast<char>(value);
    return out;
}

/// Past the number; null when it does not end before `end`, or `at` is null.
inline const char* read_number(const char* at, const char* end, uint64_t& value) {
    value = 0;
    for (uint32_t shift = 0; at != nullptr && shift < 64 && at < end; shift += 7) {
        const auto byte = static_cast<uint8_t>(*at++);
        value |= static_cast<uint64_t>(byte & 0x7F) << shift;
        if (byte < 0x80) {
            return at;
        }
    }
    return nullptr;
}

inline uint64_t head_of(int32_t unique_id, ValueKind kind) {
    return static_cast<uint64_t>(static_cast<uint32_t>(unique_id)) << 3 |
           static_cast<uint64_t>(kind);
}

struct Entry {
    int32_t unique_id = 0;
    ValueKind kind{};
    const char* value = nullptr;
    size_t size_bytes = 0;
};

/// Past the entry; null when it does not fit.
inline const char* read_entry(const char* at, const char* end, Entry& entry) {
    uint64_t head = 0;
    at = read_number(at, end, head);
    if (at == nullptr) {
        return nullptr;
    }
    entry.unique_id = static_cast<int32_t>(head >> 3);
    entry.kind = static_cast<ValueKind>(head & 7);
    uint64_t size = 0;
    if (entry.kind == ValueKind::kText) {
        at = read_number(at, end, size);
    } else if (entry.kind != ValueKind::kNull && entry.kind != ValueKind::kAbsent) {
        size = uint64_t{1} << (static_cast<uint32_t>(entry.kind) - 1);
    }
    if (at == nullptr || size > static_cast<uint64_t>(end - at)) {
        return nullptr;
    }
    entry.value = at;
    entry.size_bytes = size;
    return at + size;
}

}  // namespace thetis::row_entry
