// SPDX-License-Identifier: Apache-2.0
// Columns and batches as literals, for tests: `batch({ints({1, null, 3}), texts({"a", "b",
// null})})`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "column/builder.h"
#include "column/text_conversion.h"

namespace thetis::testing {

inline constexpr std::nullopt_t null = std::nullopt;

template <typename T>
ColumnPtr typed(DataType type, const std::vector<std::optional<T>>& values) {
    ColumnBuilder builder(type);
    for (const auto& value : values) {
        if (value.has_value()) {
            builder.append<T>(*value);
        } else {
            builder.append_null();
        }
    }
    return builder.finish();
}

inline ColumnPtr ints(const std::vector<std::optional<int32_t>>& values) {
    return typed(DataType::of(TypeId::kInt), values);
}

inline ColumnPtr bigints(const std::vector<std::optional<int64_t>>& values) {
    return typed(DataType::of(TypeId::kBigint), values);
}

inline ColumnPtr doubles(const std::vector<std::optional<double>>& values) {
    return typed(DataType::of(TypeId::kDouble), values);
}

inline ColumnPtr booleans(const std::vector<std::optional<uint8_t>>& values) {
    return typed(DataType::of(TypeId::kBoolean), values);
}

/// Any type from its text, as CAST reads it.
inline ColumnPtr parsed(DataType type, const std::vector<std::optional<std::string>>& values) {
    ColumnBuilder builder(type);
    for (const auto& value : values) {
        if (value.has_value()) {
            append_text(builder, *value);
        } else {
            builder.append_null();
        }
    }
    return builder.finish();
}

inline ColumnPtr texts(const std::vector<std::optional<std::string>>& values) {
    return parsed(DataType::of(TypeId::kString), values);
}

/// The same rows as a dictionary column: each distinct text once.
inline ColumnPtr as_dictionary(const ColumnPtr& flat) {
    std::vector<std::string> distinct;
    auto codes = Buffer::zeroed(flat->size() * sizeof(uint32_t));
    ColumnBuilder values(flat->type());
    for (uint32_t i = 0; i < flat->size(); ++i) {
        if (flat->is_null(i)) {
            continue;
        }
        const std::string text = value_text(*flat, i);
        auto found = std::find(distinct.begin(), distinct.end(), text);
        codes->as<uint32_t>()[i] = static_cast<uint32_t>(found - distinct.begin());
        if (found == distinct.end()) {
            distinct.push_back(text);
            values.append_from(*flat, i, 1);
        }
    }
    if (values.size() == 0) {
        values.append_defaults(1);
    }
    return Column::dictionary(
        flat->size(), std::move(codes), flat->valid_buffer(), values.finish()
    );
}

inline Batch batch(std::vector<ColumnPtr> columns) {
    Batch result;
    result.num_rows = columns.empty() ? 0 : columns[0]->size();
    result.columns = std::move(columns);
    return result;
}

/// Text of every row; `NULL` for NULL.
inline std::vector<std::string> rows_of(const Column& column) {
    std::vector<std::string> rows;
    for (uint32_t i = 0; i < column.size(); ++i) {
        rows.push_back(value_text(column, i));
    }
    return rows;
}

}  // namespace thetis::testing
