// SPDX-License-Identifier: Apache-2.0
// Adapters that make kernels out of small functions: they read arguments of any form, combine
// validity and write the result. For .cpp files under functions/ only. Loops see plain pointers, so
// the compiler can vectorise simple ones.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "column/builder.h"
#include "functions/scalar_registry.h"

namespace thetis {

/// AND of the arguments' validity; null when no argument has nulls. Constant NULLs never get here
/// (see propagates_nulls).
inline BufferPtr combined_validity(const KernelCall& call) {
    BufferPtr valid;
    for (const ColumnPtr& argument : call.arguments) {
        if (argument->form() != ColumnForm::kConstant) {
            valid = validity::both(valid, argument->valid_buffer(), call.num_rows);
        }
    }
    return valid;
}

/// One argument as a plain pointer, or one value for all rows. Dictionaries are flattened.
template <typename T>
class Operand {
public:
    explicit Operand(const ColumnPtr& column)
        : column_(column->form() == ColumnForm::kDictionary ? column->flatten(column) : column),
          is_constant_(column_->form() == ColumnForm::kConstant),
          values_((is_constant_ ? *column_->base() : *column_).template values<T>()) {}

    bool is_constant() const { return is_constant_; }

    const T& constant() const { return values_[0]; }

    const T* values() const { return values_; }

private:
    ColumnPtr column_;
    bool is_constant_;
    const T* values_;
};

/// result = function(a) on every row.
template <typename A, typename R, typename Function>
ColumnPtr map_unary(const KernelCall& call, Function function) {
    const Operand<A> a(call.arguments[0]);
    const uint32_t num_rows = call.num_rows;
    auto out = Buffer::allocate(num_rows * sizeof(R));
    R* result = out->as<R>();
    if (a.is_constant()) {
        std::fill_n(result, num_rows, function(a.constant()));
    } else {
        const A* x = a.values();
        for (uint32_t i = 0; i < num_rows; ++i) {
            result[i] = function(x[i]);
        }
    }
    return Column::flat(call.result_type, num_rows, std::move(out), combined_validity(call));
}

/// result = function(a, b) on every row, values under nulls included.
template <typename A, typename B, typename R, typename Function>
ColumnPtr map_binary(const KernelCall& call, Function function) {
    const Operand<A> a(call.arguments[0]);
    const Operand<B> b(call.arguments[1]);
    const uint32_t num_rows = call.num_rows;
    auto out = Buffer::allocate(num_rows * sizeof(R));
    R* result = out->as<R>();
    if (a.is_constant() && b.is_constant()) {
        std::fill_n(result, num_rows, function(a.constant(), b.constant()));
    } else if (b.is_constant()) {
        const A* x = a.values();
        const B y = b.constant();
        for (uint32_t i = 0; i < num_rows; ++i) {
            result[i] = function(x[i], y);
        }
    } else if (a.is_constant()) {
        const A x = a.constant();
        const B* y = b.values();
        for (uint32_t i = 0; i < num_rows; ++i) {
            result[i] = function(x, y[i]);
        }
    } else {
        const A* x = a.values();
        const B* y = b.values();
        for (uint32_t i = 0; i < num_rows; ++i) {
            result[i] = function(x[i], y[i]);
        }
    }
    return Column::flat(call.result_type, num_rows, std::move(out), combined_validity(call));
}

namespace adapter {

/// How a row function takes an argument: text as a view, everything else by value.
template <typename T>
struct Argument {
    using Physical = T;

    static T read(const ColumnView<T>& view, uint32_t row) { return view[row]; }
};

template <>
struct Argument<std::string_view> {
    using Physical = StringRef;

    static std::string_view read(const ColumnView<StringRef>& view, uint32_t row) {
        return view[row].view();
    }
};

template <>
struct Argument<bool> {
    using Physical = uint8_t;

    static bool read(const ColumnView<uint8_t>& view, uint32_t row) { return view[row] != 0; }
};

template <typename T>
using Physical = typename Argument<T>::Physical;

template <typename T>
struct IsOptional : std::false_type {};

template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <typename Value>
void append_result(ColumnBuilder& builder, const Value& value) {
    if constexpr (IsOptional<Value>::value) {
        if (value.has_value()) {
            append_result(builder, *value);
        } else {
            builder.append_null();
        }
    } else if constexpr (std::is_convertible_v<Value, std::string_view>) {
        builder.append_string(value);
    } else if constexpr (std::is_same_v<Value, bool>) {
        builder.append<uint8_t>(value ? 1 : 0);
    } else {
        builder.append(value);
    }
}

template <typename Function, typename... Args, size_t... I>
ColumnPtr
run_rows(const KernelCall& call, const Function& function, std::index_sequence<I...>, std::tuple<Args...>*) {
    const std::tuple<ColumnView<Physical<Args>>...> views(
        ColumnView<Physical<Args>>(*call.arguments[I])...
    );
    ColumnBuilder builder(call.result_type, call.num_rows);
    const bool may_have_nulls = (std::get<I>(views).may_have_nulls() || ...);
    for (uint32_t row = 0; row < call.num_rows; ++row) {
        if (may_have_nulls && !(std::get<I>(views).is_valid(row) && ...)) {
            builder.append_null();
        } else {
            append_result(builder, function(Argument<Args>::read(std::get<I>(views), row)...));
        }
    }
    return builder.finish();
}

template <typename Function, typename... Args, size_t... I>
ColumnPtr
run_text_rows(const KernelCall& call, const Function& function, std::index_sequence<I...>, std::tuple<Args...>*) {
    const std::tuple<ColumnView<Physical<Args>>...> views(
        ColumnView<Physical<Args>>(*call.arguments[I])...
    );
    ColumnBuilder builder(call.result_type, call.num_rows);
    const bool may_have_nulls = (std::get<I>(views).may_have_nulls() || ...);
    std::string text;
    for (uint32_t row = 0; row < call.num_rows; ++row) {
        if (may_have_nulls && !(std::get<I>(views).is_valid(row) && ...)) {
            builder.append_null();
            continue;
        }
        text.clear();
        if constexpr (std::is_void_v<decltype(function(
                          text, Argument<Args>::read(std::get<I>(views), row)...
                      ))>) {
            function(text, Argument<Args>::read(std::get<I>(views), row)...);
        } else if (!function(text, Argument<Args>::read(std::get<I>(views), row)...)) {
            builder.append_null();
            continue;
        }
        builder.append_string(text);
    }
    return builder.finish();
}

}  // namespace adapter

/// A kernel that calls `function(args...)` for every row without a NULL argument. It returns the
/// value, or an optional whose absence is NULL. Args: the physical types, std::string_view for
/// text, bool for booleans.
template <typename... Args, typename Function>
Kernel row_kernel(Function function) {
    return [function](const KernelCall& call) -> Result<ColumnPtr> {
        return adapter::run_rows(
            call,
            function,
            std::index_sequence_for<Args...>(),
            static_cast<std::tuple<Args...>*>(nullptr)
        );
    };
}

/// Like row_kernel for text results: `function(std::string& out, args...)` appends to `out`; a
/// false return is NULL.
template <typename... Args, typename Function>
Kernel text_kernel(Function function) {
    return [function](const KernelCall& call) -> Result<ColumnPtr> {
        return adapter::run_text_rows(
            call,
            function,
            std::index_sequence_for<Args...>(),
            static_cast<std::tuple<Args...>*>(nullptr)
        );
    };
}

/// Traits of functions that look at NULLs themselves or whose rows are not independent of them.
inline constexpr ScalarTraits kSeesNulls{.propagates_nulls = false, .deterministic = true};
inline constexpr ScalarTraits kVolatile{.propagates_nulls = false, .deterministic = false};

/// The literal value of an argument when there is one and it is not NULL.
inline std::optional<std::string> constant_text(const BindCall& call, size_t index) {
    const ColumnPtr& constant = call.constants[index];
    if (constant == nullptr || constant->is_null(0) ||
        constant->physical() != PhysicalType::kString) {
        return std::nullopt;
    }
    return std::string(ColumnView<StringRef>(*constant)[0].view());
}

}  // namespace thetis
