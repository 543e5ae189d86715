// SPDX-License-Identifier: Apache-2.0
// length, bit_length, char_length, ascii, strcmp.
#include "base/text/utf8.h"
#include "functions/adapters.h"

namespace thetis {

void register_lengths(ScalarRegistry& registry) {
    registry.add_kernel("length", [](const KernelCall& call) -> Result<ColumnPtr> {
        return map_unary<StringRef, int32_t>(call, [](const StringRef& text) {
            return static_cast<int32_t>(text.size());
        });
    });
    registry.add_kernel("bit_length", [](const KernelCall& call) -> Result<ColumnPtr> {
        return map_unary<StringRef, int32_t>(call, [](const StringRef& text) {
            return static_cast<int32_t>(text.size() * 8);
        });
    });
    registry.add_kernel("char_length", [](const KernelCall& call) -> Result<ColumnPtr> {
        return map_unary<StringRef, int32_t>(call, [](const StringRef& text) {
            return static_cast<int32_t>(utf8_length(text.view()));
        });
    });
    registry.add_kernel("ascii", row_kernel<std::string_view>([](std::string_view text) {
                            return text.empty() ? 0 : int32_t{static_cast<uint8_t>(text[0])};
                        }));
    registry.add_kernel(
        "strcmp",
        row_kernel<std::string_view, std::string_view>([](std::string_view a, std::string_view b) {
            const int order = a.compare(b);
            return static_cast<int8_t>(order < 0 ? -1 : (order > 0 ? 1 : 0));
        })
    );
}

}  // namespace thetis
