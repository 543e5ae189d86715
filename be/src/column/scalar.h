// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>

#include "column/column.h"
#include "types/data_type.h"

namespace thetis {

/// One typed value on its own: literals, zone map bounds, defaults. A value type; not for per-row
/// work.
class Scalar {
public:
    Scalar() = default;

    static Scalar null(DataType type) { return {type, std::monostate()}; }

    /// For every integral physical form (booleans, integers, decimals, dates, times, addresses).
    static Scalar integer(DataType type, int128_t value) { return {type, value}; }

    static Scalar real(DataType type, double value) { return {type, value}; }

    static Scalar text(DataType type, std::string value) { return {type, std::move(value)}; }

    static Scalar from_column(const Column& column, uint32_t row);

    const DataType& type() const { return type_; }

    bool is_null() const { return std::holds_alternative<std::monostate>(value_); }

    int128_t as_integer() const { return std::get<int128_t>(value_); }

    double as_real() const { return std::get<double>(value_); }

    const std::string& as_text() const { return std::get<std::string>(value_); }

    /// The value in its physical C++ type; a StringRef points into this scalar.
    template <typename T>
    T get() const {
        if constexpr (std::is_same_v<T, StringRef>) {
            return StringRef(std::string_view(as_text()));
        } else if constexpr (std::is_floating_point_v<T>) {
            return static_cast<T>(as_real());
        } else {
            return static_cast<T>(as_integer());
        }
    }

    /// Orders two values of one physical type; null is smallest.
    int compare(const Scalar& other) const;

    bool operator==(const Scalar& other) const { return compare(other) == 0; }

    /// A flat column of one row.
    ColumnPtr to_column() const;
    /// As SQL prints it; `NULL` for null.
    std::string to_string() const;

private:
    using Value = std::variant<std::monostate, int128_t, double, std::string>;

    Scalar(DataType type, Value value) : type_(type), value_(std::move(value)) {}

    DataType type_;
    Value value_;
};

}  // namespace thetis
