// SPDX-License-Identifier: Apache-2.0
// Functions of real numbers: trigonometry, exponentials, logarithms, roots, constants. Outside
// their domain they are NULL.
#include <cmath>
#include <numbers>

#include "functions/adapters.h"

namespace thetis {

namespace {

template <typename Function>
Kernel real(Function function) {
    return [function](const KernelCall& call) -> Result<ColumnPtr> {
        return map_unary<double, double>(call, function);
    };
}

/// A function that is defined only where `inside(x)`.
template <typename Inside, typename Function>
Kernel partial(Inside inside, Function function) {
    return row_kernel<double>([=](double x) {
        return inside(x) ? std::optional<double>(function(x)) : std::nullopt;
    });
}

bool is_positive(double x) {
    return x > 0;
}

Kernel constant(double value) {
    return [value](const KernelCall& call) -> Result<ColumnPtr> {
        return Column::constant(Scalar::real(call.result_type, value).to_column(), call.num_rows);
    };
}

}  // namespace

void register_real(ScalarRegistry& registry) {
    registry.add_kernel("atan", real([](double x) { return std::atan(x); }));
    registry.add_kernel("cbrt", real([](double x) { return std::cbrt(x); }));
    registry.add_kernel("cos", real([](double x) { return std::cos(x); }));
    registry.add_kernel("cosh", real([](double x) { return std::cosh(x); }));
    registry.add_kernel("cot", real([](double x) { return 1 / std::tan(x); }));
    registry.add_kernel("degrees", real([](double x) { return x * 180 / std::numbers::pi; }));
    registry.add_kernel("exp", real([](double x) { return std::exp(x); }));
    registry.add_kernel("radians", real([](double x) { return x * std::numbers::pi / 180; }));
    registry.add_kernel("sin", real([](double x) { return std::sin(x); }));
    registry.add_kernel("sinh", real([](double x) { return std::sinh(x); }));
    registry.add_kernel("tan", real([](double x) { return std::tan(x); }));
    registry.add_kernel("tanh", real([](double x) { return std::tanh(x); }));
    const auto in_unit = [](double x) { return x >= -1 && x <= 1; };
    registry.add_kernel("acos", partial(in_unit, [](double x) { return std::acos(x); }));
    registry.add_kernel("asin", partial(in_unit, [](double x) { return std::asin(x); }));
    registry.add_kernel(
        "sqrt", partial([](double x) { return x >= 0; }, [](double x) { return std::sqrt(x); })
    );
    registry.add_kernel("ln", partial(is_positive, [](double x) { return std::log(x); }));
    registry.add_kernel("log2", partial(is_positive, [](double x) { return std::log2(x); }));
    registry.add_kernel("log10", partial(is_positive, [](double x) { return std::log10(x); }));
    registry.add("log", [](const BindCall& call) -> Result<Kernel> {
        if (call.argument_types.size() == 1) {
            return partial(is_positive, [](double x) { return std::log(x); });
        }
        return row_kernel<double, double>([](double base, double x) {
            constexpr double kNearOne = 1e-9;
            const bool inside = base > 0 && x > 0 && std::fabs(base - 1) >= kNearOne;
            return inside ? std::optional<double>(std::log(x) / std::log(base)) : std::nullopt;
        });
    });
    registry.add_kernel("atan2", [](const KernelCall& call) -> Result<ColumnPtr> {
        return map_binary<double, double, double>(call, [](double y, double x) {
            return std::atan2(y, x);
        });
    });
    registry.add_kernel("power", [](const KernelCall& call) -> Result<ColumnPtr> {
        return map_binary<double, double, double>(call, [](double x, double y) {
            return std::pow(x, y);
        });
    });
    registry.add_kernel("pi", constant(std::numbers::pi));
    registry.add_kernel("e", constant(std::numbers::e));
}

}  // namespace thetis
