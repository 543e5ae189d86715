// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace thetis {

/// Hashes for tables in memory (never on the wire or on disk). All spread their input over all 64
/// bits.
namespace hash_mix {

/// A bijection (MurmurHash3's finaliser): equal results mean equal inputs, so tables of keys of up
/// to 8 bytes need not keep the key.
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
    return bijective(fold(
        static_cast<uint64_t>(key) ^ 0xA0761D6478BD642FULL,
        static_cast<uint64_t>(key >> 64) ^ 0xE7037ED1A0B428DBULL
    ));
}

}  // namespace hash_mix

}  // namespace thetis
