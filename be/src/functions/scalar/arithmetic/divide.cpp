// SPDX-License-Identifier: Apache-2.0
// divide, int_divide, mod, pmod. A zero divisor gives NULL. Decimal quotients: the dividend comes
// pre-scaled.
#include <cmath>

#include "functions/adapters.h"
#include "functions/decimal_arithmetic.h"

namespace thetis {

namespace {

struct Divide {
    template <typename T>
    static T apply(T a, T b) {
        if constexpr (std::is_floating_point_v<T>) {
            return a / b;
        } else {
            return static_cast<T>(divide_half_up(
                b < 0 ? -int128_t{a} : int128_t{a}, b < 0 ? -int128_t{b} : int128_t{b}
            ));
        }
    }
};

struct IntegerDivide {
    template <typename T>
    static T apply(T a, T b) {
        if constexpr (std::is_floating_point_v<T>) {
            return std::trunc(a / b);
        } else {
            return b == -1 ? static_cast<T>(0 - static_cast<unsigned __int128>(a))
                           : static_cast<T>(a / b);
        }
    }
};

struct Modulo {
    template <typename T>
    static T apply(T a, T b) {
        if constexpr (std::is_floating_point_v<T>) {
            return std::fmod(a, b);
        } else {
            return b == -1 ? T{0} : static_cast<T>(a % b);
        }
    }
};

struct PositiveModulo {
    template <typename T>
    static T apply(T a, T b) {
        const T rest = Modulo::apply<T>(a, b);
        return rest < 0 ? Modulo::apply<T>(static_cast<T>(rest + b), b) : rest;
    }
};

template <typename Operation, typename T>
Result<ColumnPtr> run(const KernelCall& call) {
    const ColumnView<T> a(*call.arguments[0]);
    const ColumnView<T> b(*call.arguments[1]);
    const bool is_decimal = call.result_type.id == TypeId::kDecimal;
    const bool is_integer_division = std::is_same_v<Operation, IntegerDivide> && !is_decimal;
    const int128_t limit = is_decimal ? max_decimal(call.result_type.precision) : 0;
    auto out = Buffer::allocate(call.num_rows * sizeof(T));
    T* result = out->as<T>();
    std::shared_ptr<Buffer> valid;
    if (const BufferPtr arguments_valid = combined_validity(call); arguments_valid != nullptr) {
        valid = Buffer::copy_of(arguments_valid->data(), arguments_valid->size());
    }
    for (uint32_t i = 0; i < call.num_rows; ++i) {
        if (b[i] == 0) {
            result[i] = 0;
            if (valid == nullptr) {
                valid = validity::all_valid(call.num_rows);
            }
            validity::set_null(valid->as<uint64_t>(), i);
            continue;
        }
        result[i] = Operation::template apply<T>(a[i], b[i]);
        if constexpr (!std::is_floating_point_v<T>) {
            if (is_integer_division && b[i] == -1 && a[i] != 0 && result[i] == a[i]) [[unlikely]] {
                return Status::error(
                    ErrorCode::kOutOfRange,
                    "BIGINT value is out of range in division of the least integer by -1"
                );
            }
            if (is_decimal && call.context.check_decimal_overflow &&
                exceeds_precision(result[i], limit)) [[unlikely]] {
                const int scale = call.arguments[0]->type().scale;
                return decimal_overflow(
                    "/", a[i], scale, b[i], call.arguments[1]->type().scale, call.result_type
                );
            }
        }
    }
    return Column::flat(call.result_type, call.num_rows, std::move(out), std::move(valid));
}

template <typename Operation>
Result<Kernel> factory(const BindCall& call) {
    const PhysicalType physical =
        call.argument_types.empty() ? PhysicalType::kString : call.argument_types[0].physical();
    if (call.argument_types.size() != 2 || call.argument_types[1].physical() != physical ||
        call.result_type.physical() != physical || physical == PhysicalType::kString) {
        return unsupported_arguments(call);
    }
    return visit_physical(physical, [](auto tag) -> Kernel {
        using T = decltype(tag);
        if constexpr (std::is_same_v<T, StringRef>) {
            return nullptr;
        } else {
            return Kernel(run<Operation, T>);
        }
    });
}

}  // namespace

void register_divide(ScalarRegistry& registry) {
    registry.add("divide", factory<Divide>);
    registry.add("int_divide", factory<IntegerDivide>);
    registry.add("mod", factory<Modulo>);
    registry.add("pmod", factory<PositiveModulo>);
}

}  // namespace thetis
