// SPDX-License-Identifier: Apache-2.0
// MurmurHash3 by Austin Appleby (public domain algorithm), the two forms that SQL functions need.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace thetis {

inline constexpr uint32_t kMurmurSeed = 104729;

inline uint32_t rotate_left(uint32_t x, int bits) {
    return x << bits | x >> (32 - bits);
}

inline uint64_t rotate_left(uint64_t x, int bits) {
    return x << bits | x >> (64 - bits);
}

/// The 32-bit form.
inline uint32_t murmur_hash3_32(std::string_view text, uint32_t seed) {
    constexpr uint32_t kC1 = 0xcc9e2d51;
    constexpr uint32_t kC2 = 0x1b873593;
    uint32_t hash = seed;
    const size_t num_blocks = text.size() / 4;
    for (size_t i = 0; i < num_blocks; ++i) {
        uint32_t block;
        std::memcpy(&block, text.data() + i * 4, 4);
        hash ^= rotate_left(block * kC1, 15) * kC2;
        hash = rotate_left(hash, 13) * 5 + 0xe6546b64;
    }
    uint32_t tail = 0;
    for (size_t i = text.size(); i > num_blocks * 4; --i) {
        tail = tail << 8 | static_cast<uint8_t>(text[i - 1]);
    }
    hash ^= rotate_left(tail * kC1, 15) * kC2;
    hash ^= static_cast<uint32_t>(text.size());
    hash = (hash ^ hash >> 16) * 0x85ebca6b;
    hash = (hash ^ hash >> 13) * 0xc2b2ae35;
    return hash ^ hash >> 16;
}

/// The 64-bit form: one lane of the 128-bit form over blocks of 8 bytes.
inline uint64_t murmur_hash3_64(std::string_view text, uint64_t seed) {
    constexpr uint64_t kC1 = 0x87c37b91114253d5ULL;
    constexpr uint64_t kC2 = 0x4cf5ad432745937fULL;
    uint64_t hash = seed;
    const size_t num_blocks = text.size() / 8;
    for (size_t i = 0; i < num_blocks; ++i) {
        uint64_t block;
        std::memcpy(&block, text.data() + i * 8, 8);
        hash ^= rotate_left(block * kC1, 31) * kC2;
        hash = rotate_left(hash, 27) * 5 + 0x52dce729;
    }
    uint64_t tail = 0;
    std::memcpy(&tail, text.data() + num_blocks * 8, text.size() % 8);
    hash ^= rotate_left(tail * kC1, 31) * kC2;
    hash ^= text.size();
    hash = (hash ^ hash >> 33) * 0xff51afd7ed558ccdULL;
    hash = (hash ^ hash >> 33) * 0xc4ceb9fe1a85ec53ULL;
    return hash ^ hash >> 33;
}

}  // namespace thetis
