// SPDX-License-Identifier: Apache-2.0
#include "types/data_type.h"

#include <fmt/format.h>

namespace thetis {

PhysicalType DataType::physical() const {
    switch (id) {
        case TypeId::kNull:
        case TypeId::kBoolean:
            return PhysicalType::kBool;
        case TypeId::kTinyint:
            return PhysicalType::kInt8;
        case TypeId::kSmallint:
            return PhysicalType::kInt16;
        case TypeId::kInt:
        case TypeId::kDate:
        case TypeId::kIpv4:
            return PhysicalType::kInt32;
        case TypeId::kBigint:
        case TypeId::kDatetime:
        case TypeId::kTime:
            return PhysicalType::kInt64;
        case TypeId::kLargeint:
        case TypeId::kIpv6:
            return PhysicalType::kInt128;
        case TypeId::kFloat:
            return PhysicalType::kFloat;
        case TypeId::kDouble:
            return PhysicalType::kDouble;
        case TypeId::kDecimal:
            return precision <= 9
                       ? PhysicalType::kInt32
                       : (precision <= 18 ? PhysicalType::kInt64 : PhysicalType::kInt128);
        default:
            return PhysicalType::kString;
    }
}

std::string DataType::to_string() const {
    switch (id) {
        case TypeId::kDecimal:
            return fmt::format("decimal({},{})", precision, scale);
        case TypeId::kChar:
        case TypeId::kVarchar:
            return fmt::format("{}({})", type_name(id), length);
        case TypeId::kDatetime:
        case TypeId::kTime:
            return scale == 0 ? std::string(type_name(id))
                              : fmt::format("{}({})", type_name(id), scale);
        default:
            return std::string(type_name(id));
    }
}

int physical_size(PhysicalType type) {
    switch (type) {
        case PhysicalType::kBool:
        case PhysicalType::kInt8:
            return 1;
        case PhysicalType::kInt16:
            return 2;
        case PhysicalType::kInt32:
        case PhysicalType::kFloat:
            return 4;
        case PhysicalType::kInt64:
        case PhysicalType::kDouble:
            return 8;
        case PhysicalType::kInt128:
        case PhysicalType::kString:
            return 16;
    }
    return 0;
}

}  // namespace thetis
