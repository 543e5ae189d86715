// SPDX-License-Identifier: Apache-2.0
// multiply. Integers wrap. Decimals: the product has the sum of the scales, cut half up where the
// result type has less.
#include "functions/adapters.h"
#include "functions/decimal_arithmetic.h"

namespace thetis {

namespace {

template <typename T>
Result<ColumnPtr> multiply_plain(const KernelCall& call) {
    return map_binary<T, T, T>(call, [](T a, T b) {
        if constexpr (std::is_floating_point_v<T>) {
            return a * b;
        } else {
            using Unsigned = std::conditional_t<sizeof(T) == 16, unsigned __int128, uint64_t>;
            return static_cast<T>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b));
        }
    });
}

/// Both factors and the product fit the result's form by their digits: no check.
template <typename T, typename R>
Result<ColumnPtr> multiply_decimal(const KernelCall& call) {
    return map_binary<T, T, R>(call, [](T a, T b) {
        return static_cast<R>(a) * static_cast<R>(b);
    });
}

/// `value / divisor` half up, in one 64-bit division when both fit.
int128_t drop_digits(int128_t value, int128_t divisor) {
    const auto narrow = static_cast<int64_t>(value);
    const auto small = static_cast<int64_t>(divisor);
    if (narrow == value && small == divisor) {
        const int64_t rest = narrow % small;
        return narrow / small + (rest >= small - rest ? 1 : (-rest >= small + rest ? -1 : 0));
    }
    return divide_half_up(value, divisor);
}

/// Whether all values fit 64 bits.
bool all_narrow(const int128_t* values, size_t count) {
    uint64_t differs = 0;
    for (size_t i = 0; i < count; ++i) {
        const auto low = static_cast<int64_t>(values[i]);
        differs |= static_cast<uint64_t>(static_cast<int64_t>(values[i] >> 64) ^ (low >> 63));
    }
    return differs == 0;
}

Result<ColumnPtr> multiply_wide(const KernelCall& call, int left_scale, int right_scale) {
    const Operand<int128_t> left(call.arguments[0]);
    const Operand<int128_t> right(call.arguments[1]);
    // A step of zero repeats a constant, so that the loop needs no branch on the form.
    const int128_t* a = left.values();
    const int128_t* b = right.values();
    const size_t a_step = left.is_constant() ? 0 : 1;
    const size_t b_step = right.is_constant() ? 0 : 1;
    const int128_t limit = max_decimal(call.result_type.precision);
    const int drop = left_scale + right_scale - call.result_type.scale;
    const int128_t divisor = power_of_ten(drop);
    auto out = Buffer::allocate(call.num_rows * sizeof(int128_t));
    auto* result = out->as<int128_t>();
    // The product of two 64-bit numbers has at most 38 digits.
    if (drop == 0 && call.result_type.precision == kMaxDecimalPrecision &&
        all_narrow(a, a_step == 0 ? 1 : call.num_rows) &&
        all_narrow(b, b_step == 0 ? 1 : call.num_rows)) {
        for (uint32_t i = 0; i < call.num_rows; ++i) {
            result[i] = static_cast<int128_t>(static_cast<int64_t>(a[i * a_step])) *
                        static_cast<int64_t>(b[i * b_step]);
        }
        return Column::flat(
            call.result_type, call.num_rows, std::move(out), combined_validity(call)
        );
    }
    uint32_t first_overflow = UINT32_MAX;
    for (uint32_t i = 0; i < call.num_rows; ++i) {
        const bool overflow = multiply_overflows(a[i * a_step], b[i * b_step], result[i]);
        if (drop > 0) {
            result[i] = drop_digits(result[i], divisor);
        }
        if (overflow || exceeds_precision(result[i], limit)) [[unlikely]] {
            first_overflow = std::min(first_overflow, i);
        }
    }
    if (first_overflow != UINT32_MAX && call.context.check_decimal_overflow) {
        return decimal_overflow(
            "*",
            a[first_overflow * a_step],
            left_scale,
            b[first_overflow * b_step],
            right_scale,
            call.result_type
        );
    }
    return Column::flat(call.result_type, call.num_rows, std::move(out), combined_validity(call));
}

template <typename T>
Result<Kernel> decimal_factory(const BindCall& call) {
    const int left_scale = call.argument_types[0].scale;
    const int right_scale = call.argument_types[1].scale;
    if constexpr (sizeof(T) == 16) {
        if (call.result_type.physical() != PhysicalType::kInt128 ||
            left_scale + right_scale < call.result_type.scale ||
            left_scale + right_scale - call.result_type.scale > kMaxDecimalPrecision) {
            return unsupported_arguments(call);
        }
        return Kernel([left_scale, right_scale](const KernelCall& batch) {
            return multiply_wide(batch, left_scale, right_scale);
        });
    } else {
        if (left_scale + right_scale != call.result_type.scale) {
            return unsupported_arguments(call);
        }
        switch (call.result_type.physical()) {
            case PhysicalType::kInt32:
                return Kernel(multiply_decimal<T, int32_t>);
            case PhysicalType::kInt64:
                return Kernel(multiply_decimal<T, int64_t>);
            default:
                return Kernel(multiply_decimal<T, int128_t>);
        }
    }
}

Result<Kernel> factory(const BindCall& call) {
    if (call.argument_types.size() != 2 ||
        call.argument_types[0].physical() != call.argument_types[1].physical() ||
        call.argument_types[0].is_string()) {
        return unsupported_arguments(call);
    }
    if (call.result_type.id == TypeId::kDecimal) {
        switch (call.argument_types[0].physical()) {
            case PhysicalType::kInt32:
                return decimal_factory<int32_t>(call);
            case PhysicalType::kInt64:
                return decimal_factory<int64_t>(call);
            case PhysicalType::kInt128:
                return decimal_factory<int128_t>(call);
            default:
                return unsupported_arguments(call);
        }
    }
    if (call.result_type.physical() != call.argument_types[0].physical()) {
        return unsupported_arguments(call);
    }
    return visit_physical(call.result_type.physical(), [](auto tag) -> Kernel {
        using T = decltype(tag);
        if constexpr (std::is_same_v<T, StringRef>) {
            return nullptr;
        } else {
            return Kernel(multiply_plain<T>);
        }
    });
}

}  // namespace

void register_multiply(ScalarRegistry& registry) {
    registry.add("multiply", factory);
}

}  // namespace thetis
