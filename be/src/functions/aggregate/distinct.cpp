// SPDX-License-Identifier: Apache-2.0
// multi_distinct_count, multi_distinct_sum, multi_distinct_group_concat: the set of values seen, as
// byte strings.
#include <unordered_set>

#include "functions/aggregate_adapters.h"
#include "functions/decimal_arithmetic.h"

namespace thetis {

namespace {

/// Bytes of one argument so that equal values are equal bytes and several arguments do not run into
/// one another.
void append_key(const Column& column, uint32_t row, std::string& key) {
    visit_physical(column.physical(), [&](auto tag) {
        using T = decltype(tag);
        T value = ColumnView<T>(column)[row];
        if constexpr (std::is_same_v<T, StringRef>) {
            const uint32_t size = value.size();
            key.append(reinterpret_cast<const char*>(&size), sizeof(size));
            key.append(value.data(), size);
        } else {
            if constexpr (std::is_floating_point_v<T>) {
                value = value == 0 ? 0 : value;
            }
            key.append(reinterpret_cast<const char*>(&value), sizeof(value));
        }
    });
}

/// Calls apply(i, key) for rows without a NULL among the first `num_keys` arguments.
template <typename Apply>
void for_each_key(const AggregateInput& input, size_t num_keys, Apply apply) {
    std::string key;
    for (uint32_t i = 0; i < input.num_rows; ++i) {
        const uint32_t row = input.selection == nullptr ? i : (*input.selection)[i];
        key.clear();
        bool is_null = false;
        for (size_t k = 0; k < num_keys && !is_null; ++k) {
            is_null = input.arguments[k]->is_null(row);
            if (!is_null) {
                append_key(*input.arguments[k], row, key);
            }
        }
        if (!is_null) {
            apply(i, row, key);
        }
    }
}

struct KeySet {
    std::unordered_set<std::string> keys;
    size_t key_bytes = 0;

    void add(const std::string& key) {
        if (keys.insert(key).second) {
            key_bytes += key.capacity() + 48;
        }
    }

    void merge(const KeySet& other) {
        for (const std::string& key : other.keys) {
            add(key);
        }
    }

    /// (u32 size | bytes) per key.
    void write(std::string& out) const {
        for (const std::string& key : keys) {
            const auto size = static_cast<uint32_t>(key.size());
            out.append(reinterpret_cast<const char*>(&size), sizeof(size));
            out += key;
        }
    }

    bool read(std::string_view bytes) {
        while (!bytes.empty()) {
            uint32_t size;
            if (bytes.size() < sizeof(size)) {
                return false;
            }
            std::memcpy(&size, bytes.data(), sizeof(size));
            bytes.remove_prefix(sizeof(size));
            if (size > bytes.size()) {
                return false;
            }
            add(std::string(bytes.substr(0, size)));
            bytes.remove_prefix(size);
        }
        return true;
    }

    size_t heap_bytes() const { return key_bytes; }
};

struct DistinctCount : KeySet {
    void append_result(ColumnBuilder& builder) const {
        builder.append(static_cast<int64_t>(keys.size()));
    }
};

/// The keys are values of type T.
template <typename T, typename Sum>
struct DistinctSum : KeySet {
    void append_result(ColumnBuilder& builder) const {
        Sum sum = 0;
        for (const std::string& key : keys) {
            T value;
            std::memcpy(&value, key.data(), std::min(sizeof(value), key.size()));
            sum += static_cast<Sum>(value);
        }
        if (keys.empty()) {
            builder.append_null();
        } else {
            builder.append(sum);
        }
    }
};

/// Distinct texts in order of first arrival.
struct DistinctTexts : KeySet {
    std::vector<std::string> order;
    std::string separator = ",";

    void add_text(const std::string& key) {
        if (keys.find(key) == keys.end()) {
            add(key);
            order.push_back(key);
        }
    }

    void merge(const DistinctTexts& other) {
        separator = other.order.empty() ? separator : other.separator;
        for (const std::string& key : other.order) {
            add_text(key);
        }
    }

    void write(std::string& out) const {
        const auto put = [&out](const std::string& text) {
            const auto size = static_cast<uint32_t>(text.size());
            out.append(reinterpret_cast<const char*>(&size), sizeof(size));
            out += text;
        };
        put(separator);
        for (const std::string& key : order) {
            put(key);
        }
    }

    bool read(std::string_view bytes) {
        bool first = true;
        while (!bytes.empty()) {
            uint32_t size;
            if (bytes.size() < sizeof(size)) {
                return false;
            }
            std::memcpy(&size, bytes.data(), sizeof(size));
            bytes.remove_prefix(sizeof(size));
            if (size > bytes.size()) {
                return false;
            }
            if (first) {
                separator = bytes.substr(0, size);
            } else {
                add_text(std::string(bytes.substr(0, size)));
            }
            first = false;
            bytes.remove_prefix(size);
        }
        return !first;
    }

    void append_result(ColumnBuilder& builder) const {
        if (order.empty()) {
            builder.append_null();
            return;
        }
        std::string text;
        for (const std::string& key : order) {
            text += text.empty() && &key == &order.front() ? std::string_view()
                                                           : std::string_view(separator);
            text += std::string_view(key).substr(sizeof(uint32_t)
            );  // The key's own length comes first.
        }
        builder.append_string(text);
    }
};

template <typename State>
AggregateFunctionPtr make(const AggregateBind& call, size_t num_keys) {
    return make_bytes_aggregate<State>(call, [num_keys](const AggregateInput& input, auto emit) {
        for_each_key(input, num_keys, [&](uint32_t i, uint32_t, const std::string& key) {
            emit(i, [&key](State& state) { state.add(key); });
        });
    });
}

Result<AggregateFunctionPtr> bind_sum(const AggregateBind& call) {
    if (call.argument_types.size() != 1) {
        return unsupported_aggregate(call);
    }
    const PhysicalType result = call.result_type.physical();
    switch (call.argument_types[0].physical()) {
        case PhysicalType::kInt32:
            return result == PhysicalType::kInt128 ? make<DistinctSum<int32_t, int128_t>>(call, 1)
                                                   : make<DistinctSum<int32_t, int64_t>>(call, 1);
        case PhysicalType::kInt64:
            return result == PhysicalType::kInt128 ? make<DistinctSum<int64_t, int128_t>>(call, 1)
                                                   : make<DistinctSum<int64_t, int64_t>>(call, 1);
        case PhysicalType::kInt128:
            return make<DistinctSum<int128_t, int128_t>>(call, 1);
        case PhysicalType::kDouble:
            return make<DistinctSum<double, double>>(call, 1);
        default:
            return unsupported_aggregate(call);
    }
}

Result<AggregateFunctionPtr> bind_concat(const AggregateBind& call) {
    if (call.argument_types.empty() || !call.argument_types[0].is_string()) {
        return unsupported_aggregate(call);
    }
    const bool has_separator = call.argument_types.size() > 1;
    return make_bytes_aggregate<DistinctTexts>(
        call,
        [has_separator](const AggregateInput& input, auto emit) {
            for_each_key(
                input,
                has_separator ? 2 : 1,
                [&](uint32_t i, uint32_t row, const std::string&) {
                    std::string key;
                    append_key(*input.arguments[0], row, key);
                    emit(i, [&](DistinctTexts& state) {
                        if (has_separator) {
                            state.separator =
                                ColumnView<StringRef>(*input.arguments[1])[row].view();
                        }
                        state.add_text(key);
                    });
                }
            );
        }
    );
}

}  // namespace

void register_distinct(AggregateRegistry& registry) {
    registry.add(
        "multi_distinct_count",
        [](const AggregateBind& call) -> Result<AggregateFunctionPtr> {
            return make<DistinctCount>(call, call.argument_types.size());
        }
    );
    registry.add("multi_distinct_sum", bind_sum);
    registry.add("multi_distinct_group_concat", bind_concat);
}

}  // namespace thetis
