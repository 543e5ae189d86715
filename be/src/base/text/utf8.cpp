// SPDX-License-Identifier: Apache-2.0
#include "base/text/utf8.h"

#include <simdjson.h>

namespace thetis {

size_t utf8_length(std::string_view text) {
    size_t count = 0;
    for (char c : text) {
        count += is_utf8_continuation(c) ? 0 : 1;
    }
    return count;
}

size_t utf8_offset(std::string_view text, size_t index) {
    size_t position = 0;
    while (index > 0 && position < text.size()) {
        position += utf8_char_bytes(text[position]);
        --index;
    }
    return std::min(position, text.size());
}

bool is_valid_utf8(std::string_view text) {
    return simdjson::validate_utf8(text.data(), text.size());
}

bool is_ascii(std::string_view text) {
    uint64_t seen = 0;
    size_t i = 0;
    for (; i + 8 <= text.size(); i += 8) {
        uint64_t word;
        std::memcpy(&word, text.data() + i, 8);
        seen |= word;
    }
    for (; i < text.size(); ++i) {
        seen |= static_cast<uint8_t>(text[i]);
    }
    return (seen & 0x8080808080808080ULL) == 0;
}

uint32_t utf8_decode(std::string_view text, size_t& position) {
    const auto lead = static_cast<uint8_t>(text[position]);
    const size_t bytes = utf8_char_bytes(text[position]);
    if (bytes == 1 || position + bytes > text.size()) {
        ++position;
        return lead < 0x80 ? lead : 0xFFFD;
    }
    uint32_t code = lead & (0x7FU >> bytes);
    for (size_t i = 1; i < bytes; ++i) {
        if (!is_utf8_continuation(text[position + i])) {
            ++position;
            return 0xFFFD;
        }
        code = (code << 6) | (static_cast<uint8_t>(text[position + i]) & 0x3FU);
    }
    position += bytes;
    return code;
}

char* utf8_encode(char* out, uint32_t code_point) {
    if (code_point < 0x80) {
        *out++ = static_cast<char>(code_point);
        return out;
    }
    const int continuation = code_point < 0x800 ? 1 : (code_point < 0x10000 ? 2 : 3);
    constexpr uint8_t kLead[] = {0, 0xC0, 0xE0, 0xF0};
    *out++ = static_cast<char>(kLead[continuation] | (code_point >> (6 * continuation)));
    for (int i = continuation - 1; i >= 0; --i) {
        *out++ = static_cast<char>(0x80 | ((code_point >> (6 * i)) & 0x3F));
    }
    return out;
}

}  // namespace thetis
