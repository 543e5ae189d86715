// SPDX-License-Identifier: Apache-2.0
// round, round_bankers, truncate, ceil, floor to n fraction digits, over DOUBLE and DECIMAL; n may
// be negative.
#include <cmath>

#include "functions/adapters.h"
#include "functions/decimal_arithmetic.h"

namespace thetis {

namespace {

enum class Mode : uint8_t { kHalfUp, kHalfEven, kTruncate, kCeil, kFloor };

template <Mode kMode>
double round_whole(double x) {
    switch (kMode) {
        case Mode::kHalfUp:
            return std::round(x);
        case Mode::kHalfEven:
            return std::nearbyint(x);
        case Mode::kTruncate:
            return std::trunc(x);
        case Mode::kCeil:
            return std::ceil(x);
        case Mode::kFloor:
            return std::floor(x);
    }
    return x;
}

template <Mode kMode>
double round_real(double x, int32_t digits) {
    if (digits == 0) {
        return round_whole<kMode>(x);
    }
    if (!std::isfinite(x) || digits > 308) {
        return x;
    }
    if (digits < -308) {
        return 0;
    }
    // Scale by a power that is exact for small n; a result that overflows was beyond any fraction
    // digit anyway.
    if (digits < 0) {
        const double unit = std::pow(10.0, -digits);
        return round_whole<kMode>(x / unit) * unit;
    }
    const double unit = std::pow(10.0, digits);
    const double scaled = x * unit;
    return std::isfinite(scaled) ? round_whole<kMode>(scaled) / unit : x;
}

/// value / unit in whole units, as the mode rounds.
template <Mode kMode>
int128_t divide_rounded(int128_t value, int128_t unit) {
    const int128_t quotient = value / unit;
    const int128_t rest = value % unit;
    switch (kMode) {
        case Mode::kHalfUp:
            return divide_half_up(value, unit);
        case Mode::kHalfEven: {
            const int128_t magnitude = rest < 0 ? -rest : rest;
            const bool up = magnitude > unit - magnitude ||
                            (magnitude == unit - magnitude && quotient % 2 != 0);
            return quotient + (up ? (value < 0 ? -1 : 1) : 0);
        }
        case Mode::kTruncate:
            return quotient;
        case Mode::kCeil:
            return quotient + (rest > 0 ? 1 : 0);
        case Mode::kFloor:
            return quotient - (rest < 0 ? 1 : 0);
    }
    return quotient;
}

/// A decimal of `scale` rounded to `digits`, expressed at `result_scale`.
template <Mode kMode>
int128_t round_decimal(int128_t value, int scale, int32_t digits, int result_scale) {
    const int drop = scale - std::clamp(digits, -kMaxDecimalPrecision, scale);
    if (drop > kMaxDecimalPrecision) {
        return 0;
    }
    const int128_t rounded = divide_rounded<kMode>(value, power_of_ten(drop));
    int128_t result = 0;
    rescale_decimal(rounded, scale - drop < 0 ? 0 : scale - drop, result_scale, result);
    if (scale - drop < 0) {  // Digits before the point were rounded away: put their zeroes back.
        int128_t whole = 0;
        multiply_overflows(rounded, power_of_ten(drop - scale), whole);
        rescale_decimal(whole, 0, result_scale, result);
    }
    return result;
}

template <typename T, typename R, Mode kMode>
Result<ColumnPtr> run_decimal(const KernelCall& call) {
    const ColumnView<T> values(*call.arguments[0]);
    const int scale = call.arguments[0]->type().scale;
    const int result_scale = call.result_type.scale;
    const bool has_digits = call.arguments.size() > 1;
    const BufferPtr valid = combined_validity(call);
    auto out = Buffer::allocate(call.num_rows * sizeof(R));
    const int128_t limit = max_decimal(call.result_type.precision);
    for (uint32_t i = 0; i < call.num_rows; ++i) {
        const int32_t digits = has_digits ? ColumnView<int32_t>(*call.arguments[1])[i] : 0;
        const int128_t result = round_decimal<kMode>(values[i], scale, digits, result_scale);
        if (call.context.check_decimal_overflow && exceeds_precision(result, limit)) [[unlikely]] {
            return decimal_overflow("rounded to", values[i], scale, digits, 0, call.result_type);
        }
        out->as<R>()[i] = static_cast<R>(result);
    }
    return Column::flat(call.result_type, call.num_rows, std::move(out), valid);
}

template <Mode kMode, typename T>
Result<Kernel> decimal_factory(const BindCall& call) {
    switch (call.result_type.physical()) {
        case PhysicalType::kInt32:
            return Kernel(run_decimal<T, int32_t, kMode>);
        case PhysicalType::kInt64:
            return Kernel(run_decimal<T, int64_t, kMode>);
        default:
            return Kernel(run_decimal<T, int128_t, kMode>);
    }
}

template <Mode kMode>
Result<Kernel> factory(const BindCall& call) {
    const DataType& type = call.argument_types[0];
    if (type.id == TypeId::kDecimal && call.result_type.id == TypeId::kDecimal) {
        switch (type.physical()) {
            case PhysicalType::kInt32:
                return decimal_factory<kMode, int32_t>(call);
            case PhysicalType::kInt64:
                return decimal_factory<kMode, int64_t>(call);
            default:
                return decimal_factory<kMode, int128_t>(call);
        }
    }
    if (type.id != TypeId::kDouble) {
        return unsupported_arguments(call);
    }
    if (call.argument_types.size() == 1) {
        return Kernel([](const KernelCall& batch) -> Result<ColumnPtr> {
            return map_unary<double, double>(batch, round_whole<kMode>);
        });
    }
    return Kernel([](const KernelCall& batch) -> Result<ColumnPtr> {
        return map_binary<double, int32_t, double>(batch, round_real<kMode>);
    });
}

}  // namespace

void register_rounding(ScalarRegistry& registry) {
    registry.add("round", factory<Mode::kHalfUp>);
    registry.add("round_bankers", factory<Mode::kHalfEven>);
    registry.add("truncate", factory<Mode::kTruncate>);
    registry.add("ceil", factory<Mode::kCeil>);
    registry.add("floor", factory<Mode::kFloor>);
}

}  // namespace thetis
