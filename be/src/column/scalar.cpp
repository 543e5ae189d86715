// SPDX-License-Identifier: Apache-2.0
#include "column/scalar.h"

#include "column/builder.h"
#include "column/text_conversion.h"

namespace thetis {

Scalar Scalar::from_column(const Column& column, uint32_t row) {
    if (column.is_null(row)) {
        return null(column.type());
    }
    return visit_physical(column.physical(), [&](auto tag) {
        using T = decltype(tag);
        const T value = ColumnView<T>(column)[row];
        if constexpr (std::is_same_v<T, StringRef>) {
            return text(column.type(), std::string(value.view()));
        } else if constexpr (std::is_floating_point_v<T>) {
            return real(column.type(), static_cast<double>(value));
        } else {
            return integer(column.type(), static_cast<int128_t>(value));
        }
    });
}

int Scalar::compare(const Scalar& other) const {
    if (is_null() || other.is_null()) {
        return static_cast<int>(other.is_null()) - static_cast<int>(is_null());
    }
    const auto order = [](const auto& a, const auto& b) { return a < b ? -1 : (b < a ? 1 : 0); };
    if (std::holds_alternative<std::string>(value_)) {
        return order(as_text().compare(other.as_text()), 0);
    }
    if (std::holds_alternative<double>(value_)) {
        return order(as_real(), other.as_real());
    }
    return order(as_integer(), other.as_integer());
}

ColumnPtr Scalar::to_column() const {
    ColumnBuilder builder(type_, 1);
    builder.append_scalar(*this);
    return builder.finish();
}

std::string Scalar::to_string() const {
    return value_text(*to_column(), 0);
}

}  // namespace thetis
