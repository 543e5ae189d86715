// SPDX-License-Identifier: Apache-2.0
// concat, concat_ws, elt, char, repeat, space, reverse, append_trailing_char_if_absent.
#include "base/text/utf8.h"
#include "functions/adapters.h"

namespace thetis {

namespace {

constexpr size_t kMaxTextBytes = size_t{64} << 20;

std::vector<ColumnView<StringRef>> text_views(const KernelCall& call, size_t first) {
    std::vector<ColumnView<StringRef>> views;
    for (size_t i = first; i < call.arguments.size(); ++i) {
        views.emplace_back(*call.arguments[i]);
    }
    return views;
}

Result<ColumnPtr> concat(const KernelCall& call) {
    const auto views = text_views(call, 0);
    ColumnBuilder builder(call.result_type, call.num_rows);
    for (uint32_t row = 0; row < call.num_rows; ++row) {
        size_t bytes = 0;
        bool is_null = false;
        for (const auto& view : views) {
            is_null |= !view.is_valid(row);
            bytes += view[row].size();
        }
        if (is_null) {
            builder.append_null();
            continue;
        }
        char* out = builder.begin_string(bytes);
        for (const auto& view : views) {
            std::memcpy(out, view[row].data(), view[row].size());
            out += view[row].size();
        }
        builder.end_string(bytes);
    }
    return builder.finish();
}

Result<ColumnPtr> concat_with_separator(const KernelCall& call) {
    const ColumnView<StringRef> separators(*call.arguments[0]);
    const auto views = text_views(call, 1);
    ColumnBuilder builder(call.result_type, call.num_rows);
    std::string text;
    for (uint32_t row = 0; row < call.num_rows; ++row) {
        if (!separators.is_valid(row)) {
            builder.append_null();
            continue;
        }
        text.clear();
        bool first = true;
        for (const auto& view : views) {
            if (view.is_valid(row)) {
                text += first ? std::string_view() : separators[row].view();
                text += view[row].view();
                first = false;
            }
        }
        builder.append_string(text);
    }
    return builder.finish();
}

Result<ColumnPtr> elt(const KernelCall& call) {
    const ColumnView<int32_t> indexes(*call.arguments[0]);
    const auto views = text_views(call, 1);
    ColumnBuilder builder(call.result_type, call.num_rows);
    for (uint32_t row = 0; row < call.num_rows; ++row) {
        const int32_t index = indexes[row];
        if (!indexes.is_valid(row) || index < 1 || static_cast<size_t>(index) > views.size() ||
            !views[static_cast<size_t>(index) - 1].is_valid(row)) {
            builder.append_null();
        } else {
            builder.append_string(views[static_cast<size_t>(index) - 1][row].view());
        }
    }
    return builder.finish();
}

/// Each code gives its bytes, most significant first, without leading zeroes.
Result<ColumnPtr> characters(const KernelCall& call) {
    std::vector<ColumnView<int32_t>> codes;
    for (const ColumnPtr& argument : call.arguments) {
        codes.emplace_back(*argument);
    }
    ColumnBuilder builder(call.result_type, call.num_rows);
    std::string text;
    for (uint32_t row = 0; row < call.num_rows; ++row) {
        text.clear();
        for (const auto& code : codes) {
            if (!code.is_valid(row)) {
                continue;
            }
            const auto value = static_cast<uint32_t>(code[row]);
            for (int shift = 24; shift >= 0; shift -= 8) {
                if (shift == 0 || value >> shift != 0) {
                    text.push_back(static_cast<char>(value >> shift));
                }
            }
        }
        builder.append_string(text);
    }
    return builder.finish();
}

bool repeat(std::string& out, std::string_view text, int32_t times) {
    if (times <= 0 || text.empty()) {
        return true;
    }
    if (text.size() > kMaxTextBytes / static_cast<size_t>(times)) {
        return false;
    }
    for (int32_t i = 0; i < times; ++i) {
        out += text;
    }
    return true;
}

void reverse(std::string& out, std::string_view text) {
    out.resize(text.size());
    size_t end = text.size();
    for (size_t position = 0; position < text.size();) {
        const size_t bytes = std::min(utf8_char_bytes(text[position]), text.size() - position);
        end -= bytes;
        std::memcpy(out.data() + end, text.data() + position, bytes);
        position += bytes;
    }
}

}  // namespace

void register_concat(ScalarRegistry& registry) {
    registry.add_kernel("concat", concat);
    registry.add_kernel("concat_ws", concat_with_separator, kSeesNulls);
    registry.add_kernel("elt", elt, kSeesNulls);
    registry.add_kernel("char", characters, kSeesNulls);
    registry.add_kernel("repeat", text_kernel<std::string_view, int32_t>(repeat));
    registry.add_kernel("space", text_kernel<int32_t>([](std::string& out, int32_t count) {
                            return repeat(out, " ", count);
                        }));
    registry.add_kernel("reverse", text_kernel<std::string_view>(reverse));
    registry.add_kernel(
        "append_trailing_char_if_absent",
        text_kernel<std::string_view, std::string_view>(
            [](std::string& out, std::string_view text, std::string_view suffix) {
                if (utf8_length(suffix) != 1) {
                    return false;
                }
                out += text;
                out += text.ends_with(suffix) ? std::string_view() : suffix;
                return true;
            }
        )
    );
}

}  // namespace thetis
