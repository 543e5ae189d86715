// SPDX-License-Identifier: Apache-2.0
// eq ne lt le gt ge and eq_for_null over every physical type.
#include "functions/adapters.h"

namespace thetis {

namespace {

/// Floating point compares as SQL wants it: NaN equals NaN and is the greatest value.
template <typename T>
bool is_less(const T& a, const T& b) {
    if constexpr (std::is_floating_point_v<T>) {
        return a < b || (b != b && a == a);
    } else {
        return a < b;
    }
}

template <typename T>
bool is_equal(const T& a, const T& b) {
    if constexpr (std::is_floating_point_v<T>) {
        return a == b || (a != a && b != b);
    } else {
        return a == b;
    }
}

struct Equal {
    template <typename T>
    static uint8_t apply(const T& a, const T& b) {
        return is_equal(a, b);
    }
};

struct NotEqual {
    template <typename T>
    static uint8_t apply(const T& a, const T& b) {
        return !is_equal(a, b);
    }
};

struct Less {
    template <typename T>
    static uint8_t apply(const T& a, const T& b) {
        return is_less(a, b);
    }
};

struct LessOrEqual {
    template <typename T>
    static uint8_t apply(const T& a, const T& b) {
        return !is_less(b, a);
    }
};

struct Greater {
    template <typename T>
    static uint8_t apply(const T& a, const T& b) {
        return is_less(b, a);
    }
};

struct GreaterOrEqual {
    template <typename T>
    static uint8_t apply(const T& a, const T& b) {
        return !is_less(a, b);
    }
};

template <typename Operation>
Result<Kernel> compare_factory(const BindCall& call) {
    if (call.argument_types.size() != 2 ||
        call.argument_types[0].physical() != call.argument_types[1].physical()) {
        return unsupported_arguments(call);
    }
    return visit_physical(call.argument_types[0].physical(), [](auto tag) -> Kernel {
        using T = decltype(tag);
        return [](const KernelCall& batch) -> Result<ColumnPtr> {
            return map_binary<T, T, uint8_t>(batch, [](const T& a, const T& b) {
                return Operation::apply(a, b);
            });
        };
    });
}

template <typename T>
ColumnPtr equal_for_null(const KernelCall& call) {
    const ColumnView<T> a(*call.arguments[0]);
    const ColumnView<T> b(*call.arguments[1]);
    auto out = Buffer::allocate(call.num_rows);
    for (uint32_t i = 0; i < call.num_rows; ++i) {
        const bool valid = a.is_valid(i);
        out->as<uint8_t>()[i] = valid == b.is_valid(i) && (!valid || is_equal(a[i], b[i])) ? 1 : 0;
    }
    return Column::flat(call.result_type, call.num_rows, std::move(out));
}

}  // namespace

void register_compare(ScalarRegistry& registry) {
    registry.add("eq", compare_factory<Equal>);
    registry.add("ne", compare_factory<NotEqual>);
    registry.add("lt", compare_factory<Less>);
    registry.add("le", compare_factory<LessOrEqual>);
    registry.add("gt", compare_factory<Greater>);
    registry.add("ge", compare_factory<GreaterOrEqual>);
    registry.add(
        "eq_for_null",
        [](const BindCall& call) -> Result<Kernel> {
            if (call.argument_types.size() != 2 ||
                call.argument_types[0].physical() != call.argument_types[1].physical()) {
                return unsupported_arguments(call);
            }
            return visit_physical(call.argument_types[0].physical(), [](auto tag) -> Kernel {
                using T = decltype(tag);
                return [](const KernelCall& batch) -> Result<ColumnPtr> {
                    return equal_for_null<T>(batch);
                };
            });
        },
        kSeesNulls
    );
}

}  // namespace thetis
