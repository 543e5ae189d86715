// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace thetis {

/// Positions of every occurrence of either byte in `text`, ascending, appended to `positions`.
/// `text` must be readable for 64 bytes past its end.
void find_either_byte(
    std::string_view text, char first, char second, std::vector<uint32_t>& positions
);

/// Offset of `needle` at or after `from`, or npos.
size_t find_text(std::string_view text, std::string_view needle, size_t from);

}  // namespace thetis
