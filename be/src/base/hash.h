// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace thetis {

/// CRC32C (Castagnoli) by SSE4.2, as java.util.zip.CRC32C: pass the previous result to go on; start
/// with 0.
uint32_t crc32c(uint32_t previous, const void* data, size_t size_bytes);

/// 64-bit hash of bytes (xxh3); not for disk or wire.
uint64_t hash_bytes(const void* data, size_t size_bytes, uint64_t seed = 0);

/// 64-bit mix of an integer, all bits of the result depend on all of the value (the finalizer of
/// SplitMix64, by S. Vigna after D. Stafford). For memory only, not for disk or wire.
inline uint64_t hash_int(uint64_t value) {
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
    return value ^ (value >> 31);
}

/// Hash of a row from the hash so far and the next column's.
inline uint64_t hash_combine(uint64_t seed, uint64_t hash) {
    return hash_int(seed * 0x9DDFEA08EB382D69ULL + hash + 1);
}

}  // namespace thetis
