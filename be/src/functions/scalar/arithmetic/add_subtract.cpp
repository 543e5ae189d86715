// SPDX-License-Identifier: Apache-2.0
// add, subtract and negative. Integers wrap; decimals share one scale and cannot leave their form
// unless it has 38 digits.
#include "functions/adapters.h"
#include "functions/decimal_arithmetic.h"

namespace thetis {

namespace {

struct Add {
    static constexpr std::string_view kSymbol = "+";

    template <typename T>
    static T apply(T a, T b) {
        if constexpr (std::is_floating_point_v<T>) {
            return a + b;
        } else {
            using Unsigned = std::conditional_t<sizeof(T) == 16, unsigned __int128, uint64_t>;
            return static_cast<T>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
        }
    }
};

struct Subtract {
    static constexpr std::string_view kSymbol = "-";

    template <typename T>
    static T apply(T a, T b) {
        if constexpr (std::is_floating_point_v<T>) {
            return a - b;
        } else {
            using Unsigned = std::conditional_t<sizeof(T) == 16, unsigned __int128, uint64_t>;
            return static_cast<T>(static_cast<Unsigned>(a) - static_cast<Unsigned>(b));
        }
    }
};

/// Sums of two values of up to 38 digits fit 128 bits, so checking the digits afterwards is enough.
template <typename Operation>
Status check_digits(const KernelCall& call, const Column& result) {
    const int128_t limit = max_decimal(call.result_type.precision);
    const auto* values = result.values<int128_t>();
    for (uint32_t i = 0; i < call.num_rows; ++i) {
        if (exceeds_precision(values[i], limit)) [[unlikely]] {
            const ColumnView<int128_t> a(*call.arguments[0]);
            const ColumnView<int128_t> b(*call.arguments[1]);
            const int scale = call.result_type.scale;
            return decimal_overflow(Operation::kSymbol, a[i], scale, b[i], scale, call.result_type);
        }
    }
    return {};
}

template <typename Operation>
Result<Kernel> factory(const BindCall& call) {
    const PhysicalType physical = call.result_type.physical();
    if (call.argument_types.size() != 2 || call.argument_types[0].physical() != physical ||
        call.argument_types[1].physical() != physical || physical == PhysicalType::kString) {
        return unsupported_arguments(call);
    }
    const bool check = call.result_type.id == TypeId::kDecimal && physical == PhysicalType::kInt128;
    return visit_physical(physical, [&](auto tag) -> Kernel {
        using T = decltype(tag);
        if constexpr (std::is_same_v<T, StringRef>) {
            return nullptr;
        } else {
            return [check](const KernelCall& batch) -> Result<ColumnPtr> {
                ColumnPtr result = map_binary<T, T, T>(batch, [](T a, T b) {
                    return Operation::template apply<T>(a, b);
                });
                static_cast<void>(check);
                if constexpr (sizeof(T) == 16) {
                    if (check && batch.context.check_decimal_overflow) {
                        RETURN_IF_ERROR(check_digits<Operation>(batch, *result));
                    }
                }
                return result;
            };
        }
    });
}

Result<Kernel> negative_factory(const BindCall& call) {
    const PhysicalType physical = call.result_type.physical();
    if (call.argument_types.size() != 1 || call.argument_types[0].physical() != physical ||
        physical == PhysicalType::kString) {
        return unsupported_arguments(call);
    }
    return visit_physical(physical, [](auto tag) -> Kernel {
        using T = decltype(tag);
        if constexpr (std::is_same_v<T, StringRef>) {
            return nullptr;
        } else if constexpr (std::is_floating_point_v<T>) {
            return [](const KernelCall& batch) -> Result<ColumnPtr> {
                return map_unary<T, T>(batch, [](T a) { return -a; });
            };
        } else {
            return [](const KernelCall& batch) -> Result<ColumnPtr> {
                return map_unary<T, T>(batch, [](T a) { return Subtract::apply<T>(0, a); });
            };
        }
    });
}

}  // namespace

void register_add_subtract(ScalarRegistry& registry) {
    registry.add("add", factory<Add>);
    registry.add("subtract", factory<Subtract>);
    registry.add("negative", negative_factory);
    registry.add_kernel("positive", [](const KernelCall& call) -> Result<ColumnPtr> {
        return call.arguments[0];
    });
}

}  // namespace thetis
