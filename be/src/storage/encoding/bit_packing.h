// SPDX-License-Identifier: Apache-2.0
// Bit-packing of blocks of 1024 unsigned offsets, interleaved over lanes so that unpacking is
// straight SIMD without shuffles (after Afroozeh and Boncz, "The FastLanes Compression Layout",
// VLDB 2023, without its transposed order).
#pragma once

#include <cstddef>
#include <cstdint>

namespace thetis::bit_packing {

inline constexpr uint32_t kBlockRows = 1024;

/// Bytes of a packed block: width 0..64.
inline constexpr size_t packed_bytes(int width) {
    return static_cast<size_t>(width) * (kBlockRows / 8);
}

/// Packs `offsets[1024]`, each below 2^width, into packed_bytes(width) zeroed bytes. Widths up to
/// 32 use 32 lanes of 32-bit words, wider ones 16 lanes of 64-bit words.
void pack(const uint64_t* offsets, int width, uint8_t* output);

/// values[i] = base + offset i, in the arithmetic of T (int8_t .. int64_t, uint32_t). `input` is
/// 8-byte aligned.
template <typename T>
void unpack(const uint8_t* input, int width, T base, T* values);

/// Offset i alone.
uint64_t unpack_one(const uint8_t* input, int width, uint32_t i);

}  // namespace thetis::bit_packing
