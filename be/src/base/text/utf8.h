// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace thetis {

/// Bytes of the character that starts with `lead`; stray continuation bytes count as one.
inline size_t utf8_char_bytes(char lead) {
    const auto byte = static_cast<uint8_t>(lead);
    return byte < 0xC0 ? 1 : (byte < 0xE0 ? 2 : (byte < 0xF0 ? 3 : 4));
}

inline bool is_utf8_continuation(char c) {
    return (static_cast<uint8_t>(c) & 0xC0) == 0x80;
}

/// Number of characters; every byte that is not a continuation byte starts one.
size_t utf8_length(std::string_view text);

/// Byte position of character `index` (0-based), or text.size() when there are fewer.
size_t utf8_offset(std::string_view text, size_t index);

bool is_valid_utf8(std::string_view text);
bool is_ascii(std::string_view text);

/// Decodes the character at `position` (moved past it); 0xFFFD for a malformed one.
uint32_t utf8_decode(std::string_view text, size_t& position);
/// Writes up to 4 bytes at `out`; returns the end.
char* utf8_encode(char* out, uint32_t code_point);

}  // namespace thetis
