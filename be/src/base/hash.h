// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace thetis {

/// CRC32C (Castagnoli) by SSE4.2, as java.util.zip.CRC32C: pass the previous result to go on; start with 0.
uint32_t crc32c(uint32_t previous, const void* data, size_t size_bytes);

/// 64-bit hash of bytes (xxh3); not for disk or wire.
uint64_t hash_bytes(const void* data, size_t size_bytes, uint64_t seed = 0);

/// 64-bit mix of an integer: one 128-bit multiply, both halves folded. For hash tables in memory only.
inline uint64_t hash_int(uint64_t value) {
    const unsigned __int128 product = static_cast<unsigned __int128>(value ^ 0x9E3779B97F4A7C15ULL) * 0xD6E8FEB86659FD93ULL;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

/// Hash of a row from the hash so far and the next column's.
inline uint64_t hash_combine(uint64_t seed, uint64_t hash) { return hash_int(seed * 0x9DDFEA08EB382D69ULL + hash); }

}  // namespace thetis
