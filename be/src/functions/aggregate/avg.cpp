// SPDX-License-Identifier: Apache-2.0
#include "functions/aggregate_adapters.h"
#include "functions/decimal_arithmetic.h"

namespace thetis {

namespace {

template <typename Sum>
struct SumAndCount {
    Sum sum = 0;
    int64_t count = 0;
};

/// Mean of numbers as a double, or of decimals as a decimal rounded half up.
template <typename Input, typename Sum>
class Average final : public StructAggregate<SumAndCount<Sum>> {
    using State = SumAndCount<Sum>;

public:
    explicit Average(const AggregateBind& call)
        : StructAggregate<State>(call.result_type, call.state_type),
          argument_scale_(call.argument_types[0].scale) {}

    Status update(const AggregateInput& input, char* const* groups, size_t offset, Arena&)
        const override {
        for_each_value<Input>(input, [groups, offset](uint32_t i, const Input& value) {
            State& state = *reinterpret_cast<State*>(groups[i] + offset);
            state.sum += static_cast<Sum>(value);
            ++state.count;
        });
        return {};
    }

    Status update_single(const AggregateInput& input, char* group, Arena&) const override {
        State state = *reinterpret_cast<State*>(group);
        if constexpr (std::is_same_v<Sum, int128_t>) {
            if (has_plain_values(input)) {
                state.sum += sum_of_values(
                    input.arguments[0]->template values<Input>(), rows_of(input), input.num_rows
                );
                state.count += input.num_rows;
                *reinterpret_cast<State*>(group) = state;
                return {};
            }
        }
        for_each_value<Input>(input, [&state](uint32_t, const Input& value) {
            state.sum += static_cast<Sum>(value);
            ++state.count;
        });
        *reinterpret_cast<State*>(group) = state;
        return {};
    }

    Status merge(const AggregateInput& input, char* const* groups, size_t offset, Arena&)
        const override {
        bool all_sound = true;
        for_each_value<StringRef>(input, [&](uint32_t i, const StringRef& bytes) {
            State other;
            all_sound &= read_plain(bytes.view(), other);
            State& state = *reinterpret_cast<State*>(groups[i] + offset);
            state.sum += other.sum;
            state.count += other.count;
        });
        return all_sound ? Status()
                         : Status::error(ErrorCode::kCorruption, "Malformed state of avg");
    }

    Result<ColumnPtr> states(char* const* groups, size_t offset, uint32_t num_groups)
        const override {
        ColumnBuilder builder(this->state_type(), num_groups);
        std::string bytes;
        for (uint32_t i = 0; i < num_groups; ++i) {
            bytes.clear();
            write_plain(*reinterpret_cast<const State*>(groups[i] + offset), bytes);
            builder.append_string(bytes);
        }
        return builder.finish();
    }

    Result<ColumnPtr> finalize(char* const* groups, size_t offset, uint32_t num_groups)
        const override {
        ColumnBuilder builder(this->result_type(), num_groups);
        for (uint32_t i = 0; i < num_groups; ++i) {
            const State& state = *reinterpret_cast<const State*>(groups[i] + offset);
            if (state.count == 0) {
                builder.append_null();
            } else if (this->result_type().physical() == PhysicalType::kDouble) {
                builder.append(static_cast<double>(state.sum) / static_cast<double>(state.count));
            } else if (const Status status = append_decimal(state, builder); !status.ok()) {
                return status;
            }
        }
        return builder.finish();
    }

private:
    Status append_decimal(const State& state, ColumnBuilder& builder) const {
        int128_t scaled = 0;
        if (!rescale_decimal(
                static_cast<int128_t>(state.sum), argument_scale_, this->result_type().scale, scaled
            )) {
            // The sum has no room for the extra digits: divide first, then append the digits of the
            // rest.
            const int128_t unit = power_of_ten(this->result_type().scale - argument_scale_);
            const auto sum = static_cast<int128_t>(state.sum);
            int128_t whole = 0;
            if (multiply_overflows(sum / state.count, unit, whole) ||
                exceeds_precision(whole, max_decimal(kMaxDecimalPrecision))) {
                return Status::error(
                    ErrorCode::kOutOfRange,
                    "Arithmetic overflow: avg does not fit {}",
                    this->result_type().to_string()
                );
            }
            const int128_t rest = divide_half_up(sum % state.count * unit, state.count);
            builder.append(whole + rest);
            return {};
        }
        builder.append(divide_half_up(scaled, state.count));
        return {};
    }

    int argument_scale_;
};

Result<AggregateFunctionPtr> bind(const AggregateBind& call) {
    if (call.argument_types.size() != 1) {
        return unsupported_aggregate(call);
    }
    if (call.argument_types[0].id == TypeId::kDecimal) {
        switch (call.argument_types[0].physical()) {
            case PhysicalType::kInt32:
                return AggregateFunctionPtr(std::make_shared<const Average<int32_t, int128_t>>(call)
                );
            case PhysicalType::kInt64:
                return AggregateFunctionPtr(std::make_shared<const Average<int64_t, int128_t>>(call)
                );
            default:
                return AggregateFunctionPtr(std::make_shared<const Average<int128_t, int128_t>>(call
                ));
        }
    }
    switch (call.argument_types[0].physical()) {
        case PhysicalType::kBool:
            return AggregateFunctionPtr(std::make_shared<const Average<uint8_t, double>>(call));
        case PhysicalType::kInt8:
            return AggregateFunctionPtr(std::make_shared<const Average<int8_t, double>>(call));
        case PhysicalType::kInt16:
            return AggregateFunctionPtr(std::make_shared<const Average<int16_t, double>>(call));
        case PhysicalType::kInt32:
            return AggregateFunctionPtr(std::make_shared<const Average<int32_t, double>>(call));
        case PhysicalType::kInt64:
            return AggregateFunctionPtr(std::make_shared<const Average<int64_t, double>>(call));
        case PhysicalType::kInt128:
            return AggregateFunctionPtr(std::make_shared<const Average<int128_t, double>>(call));
        case PhysicalType::kFloat:
            return AggregateFunctionPtr(std::make_shared<const Average<float, double>>(call));
        case PhysicalType::kDouble:
            return AggregateFunctionPtr(std::make_shared<const Average<double, double>>(call));
        default:
            return unsupported_aggregate(call);
    }
}

}  // namespace

void register_avg(AggregateRegistry& registry) {
    registry.add("avg", bind);
}

}  // namespace thetis
