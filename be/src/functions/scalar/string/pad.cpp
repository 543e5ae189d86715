// SPDX-License-Identifier: Apache-2.0
// lpad and rpad: exactly n characters, cut or padded.
#include "base/text/utf8.h"
#include "functions/adapters.h"

namespace thetis {

namespace {

constexpr int32_t kMaxCharacters = 16 << 20;

template <bool kLeft>
bool pad(std::string& out, std::string_view text, int32_t length, std::string_view padding) {
    if (length < 0 || length > kMaxCharacters) {
        return false;
    }
    const size_t wanted = static_cast<size_t>(length);
    const size_t present = utf8_length(text);
    if (present >= wanted) {
        out = text.substr(0, utf8_offset(text, wanted));
        return true;
    }
    if (padding.empty()) {
        return true;
    }
    std::string fill;
    const size_t padding_length = utf8_length(padding);
    size_t missing = wanted - present;
    for (; missing >= padding_length; missing -= padding_length) {
        fill += padding;
    }
    fill += padding.substr(0, utf8_offset(padding, missing));
    out += kLeft ? std::string_view(fill) : text;
    out += kLeft ? text : std::string_view(fill);
    return true;
}

}  // namespace

void register_pad(ScalarRegistry& registry) {
    registry.add_kernel(
        "lpad", text_kernel<std::string_view, int32_t, std::string_view>(pad<true>)
    );
    registry.add_kernel(
        "rpad", text_kernel<std::string_view, int32_t, std::string_view>(pad<false>)
    );
}

}  // namespace thetis
