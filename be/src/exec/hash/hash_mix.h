// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

namespace thetis {

/// Hashes for tables in memory (never on the wire or on disk). All spread their input over all 64 bits.
namespace hash_mix {

/// A bijection (MurmurHash3's finaliser): equal results mean equal inputs, so tables of keys of up to 8 bytes need not keep the key.
inline uint64_t bijective(uint64_t value) {
    value ^= value >> 33;
    value *= 0xFF51AFD7ED558CCDULL;
    value ^= value >> 33;
    value *= 0xC4CEB9FE1A85EC53ULL;
    value ^= value >> 33;
    return value;
}

/// Folded 128-bit product (wyhash).
inline uint64_t fold(uint64_t left, uint64_t right) {
    unsigned __int128 product = static_cast<unsigned __int128>(left) * right;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

inline uint64_t wide(unsigned __int128 key) {
    return bijective(fold(static_cast<uint64_t>(key) ^ 0xA0761D6478BD642FULL, static_cast<uint64_t>(key >> 64) ^ 0xE7037ED1A0B428DBULL));
}

/// Any bytes; reads nothing past the end.
inline uint64_t bytes(const uint8_t* data, size_t size) {
    uint64_t state = 0x8EBC6AF09C88C6E3ULL ^ size;
    while (size >= 16) {
        uint64_t first;
        uint64_t second;
        std::memcpy(&first, data, 8);
        std::memcpy(&second, data + 8, 8);
        state = fold(first ^ 0xA0761D6478BD642FULL ^ state, second ^ 0xE7037ED1A0B428DBULL);
        data += 16;
        size -= 16;
    }
    uint64_t first = 0;
    uint64_t second = 0;
    if (size >= 8) {
        std::memcpy(&first, data, 8);
        std::memcpy(&second, data + size - 8, 8);
    } else if (size >= 4) {
        uint32_t low;
        uint32_t high;
        std::memcpy(&low, data, 4);
        std::memcpy(&high, data + size - 4, 4);
        first = (static_cast<uint64_t>(high) << 32) | low;
    } else if (size > 0) {
        first = (static_cast<uint64_t>(data[0]) << 16) | (static_cast<uint64_t>(data[size >> 1]) << 8) | data[size - 1];
    }
    return fold(first ^ 0xA0761D6478BD642FULL ^ state, second ^ 0xE7037ED1A0B428DBULL ^ size);
}

}  // namespace hash_mix

}  // namespace thetis
