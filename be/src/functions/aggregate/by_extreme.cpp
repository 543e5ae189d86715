// SPDX-License-Identifier: Apache-2.0
// min_by and max_by: the first argument of the row whose second argument is least or greatest.
#include "functions/aggregate_adapters.h"

namespace thetis {

namespace {

void write_scalar(const Scalar& value, std::string& out) {
    std::string bytes;
    if (!value.is_null()) {
        visit_physical(value.type().physical(), [&](auto tag) {
            using T = decltype(tag);
            if constexpr (std::is_same_v<T, StringRef>) {
                bytes = value.as_text();
            } else {
                const T plain = value.get<T>();
                bytes.assign(reinterpret_cast<const char*>(&plain), sizeof(plain));
            }
        });
    }
    const uint32_t size = value.is_null() ? UINT32_MAX : static_cast<uint32_t>(bytes.size());
    out.append(reinterpret_cast<const char*>(&size), sizeof(size));
    out += bytes;
}

bool read_scalar(std::string_view& bytes, const DataType& type, Scalar& value) {
    uint32_t size;
    if (bytes.size() < sizeof(size)) {
        return false;
    }
    std::memcpy(&size, bytes.data(), sizeof(size));
    bytes.remove_prefix(sizeof(size));
    if (size == UINT32_MAX) {
        value = Scalar::null(type);
        return true;
    }
    if (size > bytes.size() ||
        (!type.is_string() && size != static_cast<uint32_t>(physical_size(type.physical())))) {
        return false;
    }
    visit_physical(type.physical(), [&](auto tag) {
        using T = decltype(tag);
        if constexpr (std::is_same_v<T, StringRef>) {
            value = Scalar::text(type, std::string(bytes.substr(0, size)));
        } else {
            T plain;
            std::memcpy(&plain, bytes.data(), sizeof(plain));
            if constexpr (std::is_floating_point_v<T>) {
                value = Scalar::real(type, static_cast<double>(plain));
            } else {
                value = Scalar::integer(type, plain);
            }
        }
    });
    bytes.remove_prefix(size);
    return true;
}

struct Best {
    DataType value_type;
    DataType key_type;
    bool keeps_least = false;
    bool has_value = false;
    Scalar value;
    Scalar key;

    bool is_better(const Scalar& candidate) const {
        return !has_value ||
               (keeps_least ? candidate.compare(key) < 0 : candidate.compare(key) > 0);
    }

    void merge(const Best& other) {
        if (other.has_value && is_better(other.key)) {
            value = other.value;
            key = other.key;
            has_value = true;
        }
    }

    void write(std::string& out) const {
        if (has_value) {
            write_scalar(value, out);
            write_scalar(key, out);
        }
    }

    bool read(std::string_view bytes) {
        if (bytes.empty()) {
            return true;
        }
        has_value = true;
        return read_scalar(bytes, value_type, value) && read_scalar(bytes, key_type, key) &&
               bytes.empty() && !key.is_null();
    }

    void append_result(ColumnBuilder& builder) const {
        if (has_value) {
            builder.append_scalar(value);
        } else {
            builder.append_null();
        }
    }

    size_t heap_bytes() const {
        return (value_type.is_string() ? 64 : 0) + (key_type.is_string() ? 64 : 0);
    }
};

AggregateFactory factory(bool keeps_least) {
    return [keeps_least](const AggregateBind& call) -> Result<AggregateFunctionPtr> {
        if (call.argument_types.size() != 2 ||
            call.argument_types[0].physical() != call.result_type.physical()) {
            return unsupported_aggregate(call);
        }
        Best initial;
        initial.value_type = call.result_type;
        initial.key_type = call.argument_types[1];
        initial.keeps_least = keeps_least;
        const auto feed = [](const AggregateInput& input, auto emit) {
            for (uint32_t i = 0; i < input.num_rows; ++i) {
                const uint32_t row = input.selection == nullptr ? i : (*input.selection)[i];
                if (input.arguments[1]->is_null(row)) {
                    continue;
                }
                emit(i, [&](Best& state) {
                    Scalar key = Scalar::from_column(*input.arguments[1], row);
                    if (state.is_better(key)) {
                        state.value = Scalar::from_column(*input.arguments[0], row);
                        state.key = std::move(key);
                        state.has_value = true;
                    }
                });
            }
        };
        return make_bytes_aggregate<Best>(call, feed, initial);
    };
}

}  // namespace

void register_by_extreme(AggregateRegistry& registry) {
    registry.add("min_by", factory(true));
    registry.add("max_by", factory(false));
}

}  // namespace thetis
