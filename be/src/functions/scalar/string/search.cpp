// SPDX-License-Identifier: Apache-2.0
// instr, locate, find_in_set, field, starts_with, ends_with.
#include "base/text/utf8.h"
#include "functions/adapters.h"

namespace thetis {

namespace {

/// 1-based character position of `needle` from character `start` on; 0 when absent.
int32_t locate(std::string_view needle, std::string_view text, int32_t start) {
    const size_t characters = utf8_length(text);
    if (start < 1 || static_cast<size_t>(start) > characters + 1) {
        return 0;
    }
    const size_t from = utf8_offset(text, static_cast<size_t>(start) - 1);
    const size_t found = text.find(needle, from);
    return found == std::string_view::npos
               ? 0
               : static_cast<int32_t>(utf8_length(text.substr(0, found))) + 1;
}

int32_t find_in_set(std::string_view text, std::string_view list) {
    if (text.find(',') != std::string_view::npos) {
        return 0;
    }
    int32_t index = 1;
    for (;; ++index) {
        const size_t comma = list.find(',');
        if (list.substr(0, comma) == text) {
            return index;
        }
        if (comma == std::string_view::npos) {
            return 0;
        }
        list.remove_prefix(comma + 1);
    }
}

template <typename T>
Result<ColumnPtr> field(const KernelCall& call) {
    std::vector<ColumnView<T>> views;
    for (const ColumnPtr& argument : call.arguments) {
        views.emplace_back(*argument);
    }
    auto out = Buffer::zeroed(call.num_rows * sizeof(int32_t));
    for (uint32_t row = 0; row < call.num_rows; ++row) {
        for (size_t i = 1; i < views.size() && views[0].is_valid(row); ++i) {
            if (views[i].is_valid(row) && views[i][row] == views[0][row]) {
                out->as<int32_t>()[row] = static_cast<int32_t>(i);
                break;
            }
        }
    }
    return Column::flat(call.result_type, call.num_rows, std::move(out));
}

}  // namespace

void register_search(ScalarRegistry& registry) {
    registry.add_kernel(
        "instr",
        row_kernel<std::string_view, std::string_view>(
            [](std::string_view text, std::string_view needle) { return locate(needle, text, 1); }
        )
    );
    registry.add("locate", [](const BindCall& call) -> Result<Kernel> {
        if (call.argument_types.size() == 2) {
            return row_kernel<std::string_view, std::string_view>([](std::string_view needle,
                                                                     std::string_view text) {
                return locate(needle, text, 1);
            });
        }
        return row_kernel<std::string_view, std::string_view, int32_t>(locate);
    });
    registry.add_kernel("find_in_set", row_kernel<std::string_view, std::string_view>(find_in_set));
    registry.add_kernel(
        "starts_with",
        row_kernel<std::string_view, std::string_view>(
            [](std::string_view text, std::string_view start) { return text.starts_with(start); }
        )
    );
    registry.add_kernel(
        "ends_with",
        row_kernel<std::string_view, std::string_view>(
            [](std::string_view text, std::string_view end) { return text.ends_with(end); }
        )
    );
    registry.add(
        "field",
        [](const BindCall& call) -> Result<Kernel> {
            return call.argument_types[0].is_string() ? Kernel(field<StringRef>)
                                                      : Kernel(field<double>);
        },
        kSeesNulls
    );
}

}  // namespace thetis
