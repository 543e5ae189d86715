// SPDX-License-Identifier: Apache-2.0
// lower, upper, initcap.
#include "base/text/utf8.h"
#include "functions/adapters.h"

namespace thetis {

namespace {

/// Simple case pairs of the scripts that have them in regular blocks: Latin-1, Latin Extended-A,
/// Greek, Cyrillic, Armenian.
uint32_t to_lower(uint32_t c) {
    if (c < 0x80) {
        return c >= 'A' && c <= 'Z' ? c + 32 : c;
    }
    const bool latin1 = c >= 0xC0 && c <= 0xDE && c != 0xD7;
    const bool greek = c >= 0x391 && c <= 0x3A9 && c != 0x3A2;
    if (latin1 || greek || (c >= 0x410 && c <= 0x42F)) {
        return c + 32;
    }
    if (c >= 0x400 && c <= 0x40F) {
        return c + 80;
    }
    if (c >= 0x531 && c <= 0x556) {
        return c + 48;
    }
    const bool even_is_upper = (c >= 0x100 && c <= 0x137) || (c >= 0x14A && c <= 0x177) ||
                               (c >= 0x460 && c <= 0x481) || (c >= 0x48A && c <= 0x4BF) ||
                               (c >= 0x4D0 && c <= 0x52F);
    if (even_is_upper && c != 0x130 && c != 0x131) {
        return c | 1;
    }
    if (((c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17E)) && c % 2 == 1) {
        return c + 1;
    }
    return c;
}

uint32_t to_upper(uint32_t c) {
    if (c < 0x80) {
        return c >= 'a' && c <= 'z' ? c - 32 : c;
    }
    const bool latin1 = c >= 0xE0 && c <= 0xFE && c != 0xF7;
    const bool greek = c >= 0x3B1 && c <= 0x3C9 && c != 0x3C2;
    if (latin1 || greek || (c >= 0x430 && c <= 0x44F)) {
        return c - 32;
    }
    if (c == 0xFF) {
        return 0x178;
    }
    if (c == 0x3C2) {
        return 0x3A3;
    }
    if (c >= 0x450 && c <= 0x45F) {
        return c - 80;
    }
    if (c >= 0x561 && c <= 0x586) {
        return c - 48;
    }
    const bool odd_is_lower = (c >= 0x100 && c <= 0x137) || (c >= 0x14A && c <= 0x177) ||
                              (c >= 0x460 && c <= 0x481) || (c >= 0x48A && c <= 0x4BF) ||
                              (c >= 0x4D0 && c <= 0x52F);
    if (odd_is_lower && c != 0x130 && c != 0x131) {
        return c & ~uint32_t{1};
    }
    if (((c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17E)) && c % 2 == 0) {
        return c - 1;
    }
    return c;
}

template <typename Map>
void map_characters(std::string& out, std::string_view text, Map map) {
    if (is_ascii(text)) {
        for (char c : text) {
            out.push_back(static_cast<char>(map(static_cast<uint8_t>(c))));
        }
        return;
    }
    for (size_t position = 0; position < text.size();) {
        const size_t begin = position;
        const uint32_t c = utf8_decode(text, position);
        const uint32_t mapped = map(c);
        if (mapped == c) {
            out.append(text.substr(begin, position - begin));
        } else {
            char bytes[4];
            out.append(bytes, utf8_encode(bytes, mapped));
        }
    }
}

bool is_word_character(uint32_t c) {
    return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

void initcap(std::string& out, std::string_view text) {
    bool in_word = false;
    map_characters(out, text, [&in_word](uint32_t c) {
        const uint32_t mapped = in_word ? to_lower(c) : to_upper(c);
        in_word = is_word_character(c);
        return mapped;
    });
}

}  // namespace

void register_letter_case(ScalarRegistry& registry) {
    registry.add_kernel(
        "lower", text_kernel<std::string_view>([](std::string& out, std::string_view text) {
            map_characters(out, text, to_lower);
        })
    );
    registry.add_kernel(
        "upper", text_kernel<std::string_view>([](std::string& out, std::string_view text) {
            map_characters(out, text, to_upper);
        })
    );
    registry.add_kernel("initcap", text_kernel<std::string_view>(initcap));
}

}  // namespace thetis
