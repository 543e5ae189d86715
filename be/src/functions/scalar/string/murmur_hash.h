// SPDX-License-Identifier: Apache-2.0
// MurmurHash3 by Austin Appleby (public domain algorithm), the two forms that SQL functions need.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace thetis {

inline constexpr uint32_t kMurmurSeed = 104729;

inline uint32_t rotate_left(uint32_t x, int bits) { return x << bits | x >> (32 - bits); }
inline uint64_t rotate_left(uint64_t x, int bits) { return x << bits | x >> (64 - bits); }

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

/// The lower half of the 128-bit form for 64-bit machines, both lanes seeded alike.
inline uint64_t murmur_hash3_64(std::string_view text, uint64_t seed) {
    constexpr uint64_t kC1 = 0x87c37b91114253d5ULL;
    constexpr uint64_t kC2 = 0x4cf5ad432745937fULL;
    uint64_t h1 = seed;
    uint64_t h2 = seed;
    const size_t num_blocks = text.size() / 16;
    for (size_t i = 0; i < num_blocks; ++i) {
        uint64_t k1;
        uint64_t k2;
        std::memcpy(&k1, text.data() + i * 16, 8);
        std::memcpy(&k2, text.data() + i * 16 + 8, 8);
        h1 ^= rotate_left(k1 * kC1, 31) * kC2;
        h1 = (rotate_left(h1, 27) + h2) * 5 + 0x52dce729;
        h2 ^= rotate_left(k2 * kC2, 33) * kC1;
        h2 = (rotate_left(h2, 31) + h1) * 5 + 0x38495ab5;
    }
    uint64_t tails[2] = {0, 0};
    std::memcpy(tails, text.data() + num_blocks * 16, text.size() % 16);
    h2 ^= rotate_left(tails[1] * kC2, 33) * kC1;
    h1 ^= rotate_left(tails[0] * kC1, 31) * kC2;
    h1 ^= text.size();
    h2 ^= text.size();
    h1 += h2;
    h2 += h1;
    const auto mix = [](uint64_t k) {
        k = (k ^ k >> 33) * 0xff51afd7ed558ccdULL;
        k = (k ^ k >> 33) * 0xc4ceb9fe1a85ec53ULL;
        return k ^ k >> 33;
    };
    h1 = mix(h1);
    h2 = mix(h2);
    return h1 + h2;
}

}  // namespace thetis
