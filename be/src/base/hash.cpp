// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

#include <nmmintrin.h>
#include <xxhash.h>

namespace thetis {

uint32_t crc32c(uint32_t previous, const void* data, size_t size_bytes) {
    const auto* bytes = static_cast<const uint8_t*>(data);
    uint64_t crc = ~previous;
    while (size_bytes >= 8) {
        uint64_t word;
        std::memcpy(&word, bytes, 8);
        crc = _mm_crc32_u64(crc, word);
        bytes += 8;
        size_bytes -= 8;
    }
    auto narrow = static_cast<uint32_t>(crc);
    if (size_bytes >= 4) {
        uint32_t word;
        std::memcpy(&word, bytes, 4);
        narrow = _mm_crc32_u32(narrow, word);
        bytes += 4;
        size_bytes -= 4;
    }
    for (; size_bytes > 0; --size_bytes) {
        narrow = _mm_crc32_u8(narrow, *bytes++);
    }
    return ~narrow;
}

uint64_t hash_bytes(const void* data, size_t size_bytes, uint64_t seed) {
    return XXH3_64bits_withSeed(data, size_bytes, seed);
}

}  // namespace thetis
