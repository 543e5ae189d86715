// SPDX-License-Identifier: Apache-2.0
// group_bit_and, group_bit_or, group_bit_xor over integers.
#include "functions/aggregate_adapters.h"

namespace thetis {

namespace {

enum class Bits : uint8_t { kAnd, kOr, kXor };

template <Bits kBits, typename T>
struct Combine {
    using Input = T;
    using Value = T;

    static void add(T& bits, bool& has_value, const T& value) {
        if (!has_value) {
            bits = value;
        } else if constexpr (kBits == Bits::kAnd) {
            bits = static_cast<T>(bits & value);
        } else if constexpr (kBits == Bits::kOr) {
            bits = static_cast<T>(bits | value);
        } else {
            bits = static_cast<T>(bits ^ value);
        }
        has_value = true;
    }
};

template <Bits kBits>
Result<AggregateFunctionPtr> bind(const AggregateBind& call) {
    if (call.argument_types.size() != 1 ||
        call.argument_types[0].physical() != call.result_type.physical()) {
        return unsupported_aggregate(call);
    }
    switch (call.result_type.physical()) {
        case PhysicalType::kInt8:
            return AggregateFunctionPtr(
                std::make_shared<const ValueAggregate<Combine<kBits, int8_t>>>(call, true)
            );
        case PhysicalType::kInt16:
            return AggregateFunctionPtr(
                std::make_shared<const ValueAggregate<Combine<kBits, int16_t>>>(call, true)
            );
        case PhysicalType::kInt32:
            return AggregateFunctionPtr(
                std::make_shared<const ValueAggregate<Combine<kBits, int32_t>>>(call, true)
            );
        case PhysicalType::kInt64:
            return AggregateFunctionPtr(
                std::make_shared<const ValueAggregate<Combine<kBits, int64_t>>>(call, true)
            );
        case PhysicalType::kInt128:
            return AggregateFunctionPtr(
                std::make_shared<const ValueAggregate<Combine<kBits, int128_t>>>(call, true)
            );
        default:
            return unsupported_aggregate(call);
    }
}

}  // namespace

void register_group_bits(AggregateRegistry& registry) {
    registry.add("group_bit_and", bind<Bits::kAnd>);
    registry.add("group_bit_or", bind<Bits::kOr>);
    registry.add("group_bit_xor", bind<Bits::kXor>);
}

}  // namespace thetis
