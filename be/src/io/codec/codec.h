// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace thetis {

/// General-purpose compression of whole byte runs. Numbers are on disk and never reused.
enum class Compression : uint8_t { kNone = 0, kLz4 = 1, kZstd = 2, kZlib = 3 };

/// `LZ4`, `ZSTD`, `ZLIB`, `NONE` in any case; invalid_argument names the value otherwise.
Result<Compression> parse_compression(std::string_view name);
std::string_view compression_name(Compression compression);

/// Appends the compressed bytes of `input` to `output`. kNone copies.
Status compress(
    Compression compression, std::span<const uint8_t> input, std::vector<uint8_t>& output
);

/// Fills `output` exactly; corruption when `input` holds anything else. Safe on hostile input.
Status decompress(
    Compression compression, std::span<const uint8_t> input, std::span<uint8_t> output
);

}  // namespace thetis
