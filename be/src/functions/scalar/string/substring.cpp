// SPDX-License-Identifier: Apache-2.0
// substring, left, right: parts of a text by characters. Results point into the argument's bytes;
// nothing is copied.
#include "base/text/utf8.h"
#include "functions/adapters.h"

namespace thetis {

namespace {

/// Characters [begin, begin + count) of `text`, both counted from 0.
std::string_view characters(std::string_view text, int64_t begin, int64_t count) {
    if (count <= 0 || begin < 0) {
        return "";
    }
    if (is_ascii(text)) {
        const auto size = static_cast<int64_t>(text.size());
        return begin >= size
                   ? std::string_view("")
                   : text.substr(
                         static_cast<size_t>(begin), static_cast<size_t>(std::min(count, size))
                     );
    }
    const size_t first = utf8_offset(text, static_cast<size_t>(begin));
    const std::string_view rest = text.substr(first);
    return rest.substr(0, utf8_offset(rest, static_cast<size_t>(count)));
}

/// `position` counts from 1, or from the end when negative.
std::string_view substring(std::string_view text, int64_t position, int64_t count) {
    if (position > 0) {
        return characters(text, position - 1, count);
    }
    if (position == 0) {
        return "";
    }
    const auto length = static_cast<int64_t>(utf8_length(text));
    return length + position < 0 ? std::string_view("")
                                 : characters(text, length + position, count);
}

std::string_view right(std::string_view text, int64_t count) {
    if (count < 0) {  // From the k-th character on.
        return substring(text, -count, INT32_MAX);
    }
    const auto length = static_cast<int64_t>(utf8_length(text));
    return characters(text, std::max<int64_t>(0, length - count), count);
}

/// Cut: (text, a, b) -> view into text; b is the third argument or INT32_MAX.
template <typename Cut>
Kernel cutting(Cut cut) {
    return [cut](const KernelCall& call) -> Result<ColumnPtr> {
        const ColumnView<StringRef> texts(*call.arguments[0]);
        const ColumnView<int32_t> first(*call.arguments[1]);
        const bool has_second = call.arguments.size() > 2;
        const ColumnView<int32_t> second(*call.arguments[has_second ? 2 : 1]);
        auto out = Buffer::allocate(call.num_rows * sizeof(StringRef));
        auto* result = out->as<StringRef>();
        for (uint32_t i = 0; i < call.num_rows; ++i) {
            result[i] =
                StringRef(cut(texts[i].view(), first[i], has_second ? second[i] : INT32_MAX));
        }
        const Column& source = call.arguments[0]->form() == ColumnForm::kFlat
                                   ? *call.arguments[0]
                                   : *call.arguments[0]->base();
        return Column::flat(
            call.result_type,
            call.num_rows,
            std::move(out),
            combined_validity(call),
            source.payloads()
        );
    };
}

}  // namespace

void register_substring(ScalarRegistry& registry) {
    registry.add_kernel(
        "substring", cutting([](std::string_view text, int32_t position, int32_t count) {
            return substring(text, position, count);
        })
    );
    registry.add_kernel("left", cutting([](std::string_view text, int32_t count, int32_t) {
                            return characters(text, 0, count);
                        }));
    registry.add_kernel("right", cutting([](std::string_view text, int32_t count, int32_t) {
                            return right(text, count);
                        }));
}

}  // namespace thetis
