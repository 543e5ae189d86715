// SPDX-License-Identifier: Apache-2.0
#include "functions/aggregate_adapters.h"

namespace thetis {

namespace {

constexpr std::string_view kDefaultSeparator = ",";

/// Texts in order of arrival; the separator of the latest row goes before its text.
struct Joined {
    std::string text;
    std::string separator;
    bool has_value = false;

    void add(std::string_view value, std::string_view with) {
        if (has_value) {
            text += with;
        }
        separator = with;
        text += value;
        has_value = true;
    }

    void merge(const Joined& other) {
        if (other.has_value) {
            add(other.text, other.separator);
        }
    }

    /// u8 has value | u32 separator bytes | separator | text
    void write(std::string& out) const {
        out.push_back(has_value ? 1 : 0);
        const auto size = static_cast<uint32_t>(separator.size());
        out.append(reinterpret_cast<const char*>(&size), sizeof(size));
        out += separator;
        out += text;
    }

    bool read(std::string_view bytes) {
        uint32_t size;
        if (bytes.size() < 1 + sizeof(size)) {
            return false;
        }
        has_value = bytes[0] != 0;
        std::memcpy(&size, bytes.data() + 1, sizeof(size));
        bytes.remove_prefix(1 + sizeof(size));
        if (size > bytes.size()) {
            return false;
        }
        separator = bytes.substr(0, size);
        text = bytes.substr(size);
        return true;
    }

    void append_result(ColumnBuilder& builder) const {
        if (has_value) {
            builder.append_string(text);
        } else {
            builder.append_null();
        }
    }

    size_t heap_bytes() const { return text.capacity() + separator.capacity(); }
};

Result<AggregateFunctionPtr> bind(const AggregateBind& call) {
    if (call.argument_types.empty() || call.argument_types.size() > 2 ||
        !call.argument_types[0].is_string() || !call.argument_types.back().is_string()) {
        return unsupported_aggregate(call);
    }
    if (call.argument_types.size() == 1) {
        return make_bytes_aggregate<Joined>(call, [](const AggregateInput& input, auto emit) {
            for_each_value<StringRef>(input, [&](uint32_t i, const StringRef& text) {
                emit(i, [&text](Joined& state) { state.add(text.view(), kDefaultSeparator); });
            });
        });
    }
    return make_bytes_aggregate<Joined>(call, [](const AggregateInput& input, auto emit) {
        for_each_pair<StringRef, StringRef>(
            input,
            [&](uint32_t i, const StringRef& text, const StringRef& separator) {
                emit(i, [&](Joined& state) { state.add(text.view(), separator.view()); });
            }
        );
    });
}

}  // namespace

void register_group_concat(AggregateRegistry& registry) {
    registry.add("group_concat", bind);
}

}  // namespace thetis
