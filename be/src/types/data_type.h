// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "types/string_ref.h"
#include "types/type_id.gen.h"

namespace thetis {

using int128_t = __int128;

/// How values are held in memory. Kernels are written for these, never for logical types.
enum class PhysicalType : uint8_t {
    kBool,
    kInt8,
    kInt16,
    kInt32,
    kInt64,
    kInt128,
    kFloat,
    kDouble,
    kString
};

/// A logical type with its parameters. A small value, compared and copied freely.
struct DataType {
    TypeId id = TypeId::kNull;
    bool nullable = true;
    uint8_t precision = 0;  ///< DECIMAL: digits.
    uint8_t scale =
        0;  ///< DECIMAL: fraction digits; DATETIME and TIME: fraction digits of a second.
    int32_t length = 0;  ///< CHAR, VARCHAR: bytes.

    static DataType of(TypeId id, bool nullable = true) { return {.id = id, .nullable = nullable}; }

    static DataType decimal(int precision, int scale, bool nullable = true) {
        return {
            .id = TypeId::kDecimal,
            .nullable = nullable,
            .precision = static_cast<uint8_t>(precision),
            .scale = static_cast<uint8_t>(scale)
        };
    }

    static DataType datetime(int scale, bool nullable = true) {
        return {
            .id = TypeId::kDatetime, .nullable = nullable, .scale = static_cast<uint8_t>(scale)
        };
    }

    static DataType varchar(int length = 65533, bool nullable = true) {
        return {.id = TypeId::kVarchar, .nullable = nullable, .length = length};
    }

    /// NULL literals are held as BOOLEAN columns of nulls; complex types are not built yet and have
    /// no physical form.
    PhysicalType physical() const;

    bool is_string() const { return physical() == PhysicalType::kString; }

    /// `decimal(10,2)`, `varchar(20)`, `datetime(3)`, ...
    std::string to_string() const;

    bool operator==(const DataType&) const = default;
};

/// Bytes of one value in a flat column: 1, 2, 4, 8 or 16 (strings: a 16-byte view).
int physical_size(PhysicalType type);

/// Calls `visitor(T{})` with the C++ type of a physical form: uint8_t, int8_t, int16_t, int32_t,
/// int64_t, int128_t, float, double, StringRef. The one place where code turns a type tag into a
/// template parameter; used once per batch, never per row.
template <typename Visitor>
decltype(auto) visit_physical(PhysicalType type, Visitor&& visitor) {
    switch (type) {
        case PhysicalType::kBool:
            return visitor(uint8_t{});
        case PhysicalType::kInt8:
            return visitor(int8_t{});
        case PhysicalType::kInt16:
            return visitor(int16_t{});
        case PhysicalType::kInt32:
            return visitor(int32_t{});
        case PhysicalType::kInt64:
            return visitor(int64_t{});
        case PhysicalType::kInt128:
            return visitor(int128_t{});
        case PhysicalType::kFloat:
            return visitor(float{});
        case PhysicalType::kDouble:
            return visitor(double{});
        default:
            return visitor(StringRef{});
    }
}

}  // namespace thetis
