// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace thetis {

/// CRC32C (Castagnoli) of `size` bytes, continuing from `seed` (0 to begin); the polynomial that SSE4.2 has an instruction for.
uint32_t crc32c(uint32_t seed, const void* data, size_t size);

}  // namespace thetis
