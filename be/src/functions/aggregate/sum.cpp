// SPDX-License-Identifier: Apache-2.0
#include "functions/aggregate_adapters.h"
#include "functions/decimal_arithmetic.h"

namespace thetis {

namespace {

template <typename I, typename V>
struct Add {
    using Input = I;
    using Value = V;

    template <typename T>
    static void add(Value& sum, bool& has_value, const T& value) {
        if constexpr (std::is_floating_point_v<Value>) {
            sum += value;
        } else {
            using Unsigned = std::conditional_t<sizeof(Value) == 16, unsigned __int128, uint64_t>;
            sum = static_cast<Value>(
                static_cast<Unsigned>(sum) + static_cast<Unsigned>(static_cast<Value>(value))
            );
        }
        has_value = true;
    }
};

/// Sums of decimals are checked once, at the end: 128 bits do not wrap before billions of the
/// greatest values.
template <typename Input>
class DecimalSum final : public ValueAggregate<Add<Input, int128_t>> {
public:
    using ValueAggregate<Add<Input, int128_t>>::ValueAggregate;

    Status update_single(const AggregateInput& input, char* group, Arena& arena) const override {
        if (!has_plain_values(input) || input.num_rows == 0) {
            return ValueAggregate<Add<Input, int128_t>>::update_single(input, group, arena);
        }
        this->add_to_state(
            group,
            sum_of_values(
                input.arguments[0]->template values<Input>(), rows_of(input), input.num_rows
            )
        );
        return {};
    }

    Result<ColumnPtr> finalize(char* const* groups, size_t offset, uint32_t num_groups)
        const override {
        ASSIGN_OR_RETURN(
            ColumnPtr result,
            (ValueAggregate<Add<Input, int128_t>>::finalize(groups, offset, num_groups))
        );
        const int128_t limit = max_decimal(this->result_type().precision);
        for (uint32_t i = 0; i < num_groups; ++i) {
            if (exceeds_precision(result->template values<int128_t>()[i], limit)) [[unlikely]] {
                return Status::error(
                    ErrorCode::kOutOfRange,
                    "Arithmetic overflow: sum does not fit {}",
                    this->result_type().to_string()
                );
            }
        }
        return result;
    }
};

template <typename I, typename V>
AggregateFunctionPtr make(const AggregateBind& call, bool null_when_empty) {
    return std::make_shared<const ValueAggregate<Add<I, V>>>(call, null_when_empty);
}

Result<AggregateFunctionPtr> bind(const AggregateBind& call, bool null_when_empty) {
    if (call.argument_types.size() != 1) {
        return unsupported_aggregate(call);
    }
    const PhysicalType input = call.argument_types[0].physical();
    const PhysicalType output = call.result_type.physical();
    if (call.argument_types[0].id == TypeId::kDecimal && output == PhysicalType::kInt128) {
        switch (input) {
            case PhysicalType::kInt32:
                return AggregateFunctionPtr(
                    std::make_shared<const DecimalSum<int32_t>>(call, null_when_empty)
                );
            case PhysicalType::kInt64:
                return AggregateFunctionPtr(
                    std::make_shared<const DecimalSum<int64_t>>(call, null_when_empty)
                );
            default:
                return AggregateFunctionPtr(
                    std::make_shared<const DecimalSum<int128_t>>(call, null_when_empty)
                );
        }
    }
    if (output == PhysicalType::kInt64) {
        switch (input) {
            case PhysicalType::kBool:
                return make<uint8_t, int64_t>(call, null_when_empty);
            case PhysicalType::kInt8:
                return make<int8_t, int64_t>(call, null_when_empty);
            case PhysicalType::kInt16:
                return make<int16_t, int64_t>(call, null_when_empty);
            case PhysicalType::kInt32:
                return make<int32_t, int64_t>(call, null_when_empty);
            case PhysicalType::kInt64:
                return make<int64_t, int64_t>(call, null_when_empty);
            default:
                return unsupported_aggregate(call);
        }
    }
    if (input == PhysicalType::kInt128 && output == PhysicalType::kInt128) {
        return make<int128_t, int128_t>(call, null_when_empty);
    }
    if (output == PhysicalType::kDouble && input == PhysicalType::kDouble) {
        return make<double, double>(call, null_when_empty);
    }
    if (output == PhysicalType::kDouble && input == PhysicalType::kFloat) {
        return make<float, double>(call, null_when_empty);
    }
    return unsupported_aggregate(call);
}

}  // namespace

void register_sum(AggregateRegistry& registry) {
    registry.add("sum", [](const AggregateBind& call) { return bind(call, true); });
    registry.add("sum0", [](const AggregateBind& call) { return bind(call, false); });
}

}  // namespace thetis
