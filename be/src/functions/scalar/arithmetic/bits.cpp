// SPDX-License-Identifier: Apache-2.0
// bitand, bitor, bitxor, bitnot, bit_count, bit_shift_left, bit_shift_right over integers.
#include "functions/adapters.h"

namespace thetis {

namespace {

template <typename Function>
Result<Kernel> integer_kernel(const BindCall& call, Function make) {
    switch (call.argument_types.empty() ? PhysicalType::kString : call.argument_types[0].physical()
    ) {
        case PhysicalType::kInt8:
            return make(int8_t{});
        case PhysicalType::kInt16:
            return make(int16_t{});
        case PhysicalType::kInt32:
            return make(int32_t{});
        case PhysicalType::kInt64:
            return make(int64_t{});
        case PhysicalType::kInt128:
            return make(int128_t{});
        default:
            return unsupported_arguments(call);
    }
}

template <typename Operation>
KernelFactory binary(Operation operation) {
    return [operation](const BindCall& call) {
        return integer_kernel(call, [operation](auto tag) -> Result<Kernel> {
            using T = decltype(tag);
            return Kernel([operation](const KernelCall& batch) -> Result<ColumnPtr> {
                return map_binary<T, T, T>(batch, [operation](T a, T b) {
                    return static_cast<T>(operation(a, b));
                });
            });
        });
    };
}

template <typename T>
int count_bits(T value) {
    if constexpr (sizeof(T) == 16) {
        return std::popcount(static_cast<uint64_t>(value)) +
               std::popcount(static_cast<uint64_t>(value >> 64));
    } else {
        return std::popcount(static_cast<std::make_unsigned_t<T>>(value));
    }
}

}  // namespace

void register_bits(ScalarRegistry& registry) {
    registry.add("bitand", binary([](auto a, auto b) { return a & b; }));
    registry.add("bitor", binary([](auto a, auto b) { return a | b; }));
    registry.add("bitxor", binary([](auto a, auto b) { return a ^ b; }));
    registry.add("bitnot", [](const BindCall& call) {
        return integer_kernel(call, [](auto tag) -> Result<Kernel> {
            using T = decltype(tag);
            return Kernel([](const KernelCall& batch) -> Result<ColumnPtr> {
                return map_unary<T, T>(batch, [](T a) { return static_cast<T>(~a); });
            });
        });
    });
    registry.add("bit_count", [](const BindCall& call) {
        return integer_kernel(call, [](auto tag) -> Result<Kernel> {
            using T = decltype(tag);
            using R = std::conditional_t<sizeof(T) == 16, int16_t, int8_t>;
            return Kernel([](const KernelCall& batch) -> Result<ColumnPtr> {
                return map_unary<T, R>(batch, [](T a) { return static_cast<R>(count_bits(a)); });
            });
        });
    });
    registry.add_kernel(
        "bit_shift_left", row_kernel<int64_t, int64_t>([](int64_t value, int64_t by) {
            return by < 0 || by > 63 ? int64_t{0}
                                     : static_cast<int64_t>(static_cast<uint64_t>(value) << by);
        })
    );
    registry.add_kernel(
        "bit_shift_right", row_kernel<int64_t, int64_t>([](int64_t value, int64_t by) {
            return by < 0 || by > 63 ? int64_t{0}
                                     : static_cast<int64_t>(static_cast<uint64_t>(value) >> by);
        })
    );
}

}  // namespace thetis
