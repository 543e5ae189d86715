// SPDX-License-Identifier: Apache-2.0
// replace, sub_replace, split_part, substring_index, mask.
#include "base/text/utf8.h"
#include "functions/adapters.h"

namespace thetis {

namespace {

void replace(std::string& out, std::string_view text, std::string_view from, std::string_view to) {
    if (from.empty()) {
        out = text;
        return;
    }
    size_t position = 0;
    for (;;) {
        const size_t found = text.find(from, position);
        out += text.substr(position, found == std::string_view::npos ? found : found - position);
        if (found == std::string_view::npos) {
            return;
        }
        out += to;
        position = found + from.size();
    }
}

/// Replaces `length` characters from character `start` (0-based); NULL when the start is outside.
bool sub_replace(
    std::string& out,
    std::string_view text,
    std::string_view replacement,
    int32_t start,
    int32_t length
) {
    if (start < 0 || length < 0 || static_cast<size_t>(start) > utf8_length(text)) {
        return false;
    }
    const size_t begin = utf8_offset(text, static_cast<size_t>(start));
    const std::string_view rest = text.substr(begin);
    out += text.substr(0, begin);
    out += replacement;
    out += rest.substr(utf8_offset(rest, static_cast<size_t>(length)));
    return true;
}

/// The n-th part, counted from the end for negative n; NULL when there is none.
bool split_part(
    std::string& out, std::string_view text, std::string_view separator, int32_t index
) {
    if (index == 0 || separator.empty()) {
        return false;
    }
    std::vector<std::string_view> parts;
    for (size_t position = 0;;) {
        const size_t found = text.find(separator, position);
        parts.push_back(
            text.substr(position, found == std::string_view::npos ? found : found - position)
        );
        if (found == std::string_view::npos) {
            break;
        }
        position = found + separator.size();
    }
    const auto count = static_cast<int64_t>(parts.size());
    const int64_t wanted = index > 0 ? index - 1 : count + index;
    // Without the separator in the text there are no parts to count.
    if (wanted < 0 || wanted >= count || (count == 1 && index < 0)) {
        return false;
    }
    out = parts[static_cast<size_t>(wanted)];
    return true;
}

void substring_index(
    std::string& out, std::string_view text, std::string_view separator, int32_t count
) {
    if (count == 0 || separator.empty()) {
        return;
    }
    if (count > 0) {
        size_t position = 0;
        for (int32_t i = 0; i < count; ++i) {
            const size_t found = text.find(separator, position);
            if (found == std::string_view::npos) {
                out = text;
                return;
            }
            out = text.substr(0, found);
            position = found + separator.size();
        }
        return;
    }
    size_t end = text.size();
    for (int32_t i = 0; i > count; --i) {
        const size_t found = end == 0 || end < separator.size()
                                 ? std::string_view::npos
                                 : text.rfind(separator, end - separator.size());
        if (found == std::string_view::npos) {
            out = text;
            return;
        }
        out = text.substr(found + separator.size());
        end = found;
    }
}

void mask(std::string& out, std::string_view text, char upper, char lower, char digit) {
    for (char c : text) {
        if (c >= 'A' && c <= 'Z') {
            out.push_back(upper);
        } else if (c >= 'a' && c <= 'z') {
            out.push_back(lower);
        } else {
            out.push_back(c >= '0' && c <= '9' ? digit : c);
        }
    }
}

char first_or(std::string_view text, char otherwise) {
    return text.empty() ? otherwise : text[0];
}

Result<Kernel> mask_factory(const BindCall& call) {
    using View = std::string_view;
    switch (call.argument_types.size()) {
        case 1:
            return text_kernel<View>([](std::string& out, View text) {
                mask(out, text, 'X', 'x', 'n');
            });
        case 2:
            return text_kernel<View, View>([](std::string& out, View text, View upper) {
                mask(out, text, first_or(upper, 'X'), 'x', 'n');
            });
        case 3:
            return text_kernel<View, View, View>(
                [](std::string& out, View text, View upper, View lower) {
                    mask(out, text, first_or(upper, 'X'), first_or(lower, 'x'), 'n');
                }
            );
        default:
            return text_kernel<View, View, View, View>(
                [](std::string& out, View text, View upper, View lower, View digit) {
                    mask(
                        out, text, first_or(upper, 'X'), first_or(lower, 'x'), first_or(digit, 'n')
                    );
                }
            );
    }
}

}  // namespace

void register_replace(ScalarRegistry& registry) {
    using View = std::string_view;
    registry.add_kernel("replace", text_kernel<View, View, View>(replace));
    registry.add("sub_replace", [](const BindCall& call) -> Result<Kernel> {
        if (call.argument_types.size() == 4) {
            return text_kernel<View, View, int32_t, int32_t>(sub_replace);
        }
        return text_kernel<View, View, int32_t>(
            [](std::string& out, View text, View replacement, int32_t start) {
                return sub_replace(
                    out, text, replacement, start, static_cast<int32_t>(utf8_length(replacement))
                );
            }
        );
    });
    registry.add_kernel("split_part", text_kernel<View, View, int32_t>(split_part));
    registry.add_kernel("substring_index", text_kernel<View, View, int32_t>(substring_index));
    registry.add("mask", mask_factory);
    registry.add_kernel(
        "digital_masking", text_kernel<int64_t>([](std::string& out, int64_t number) {
            const std::string digits = std::to_string(number);
            out = digits.substr(0, 3) + "****" +
                  (digits.size() > 4 ? digits.substr(digits.size() - 4) : digits);
        })
    );
}

}  // namespace thetis
