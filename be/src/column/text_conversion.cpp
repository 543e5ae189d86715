// SPDX-License-Identifier: Apache-2.0
#include "column/text_conversion.h"

#include <arpa/inet.h>
#include <simdjson.h>

#include "base/text/numbers.h"
#include "types/date_time.h"
#include "types/decimal.h"
#include "types/time_zone.h"

namespace thetis {

namespace {

template <typename T>
bool append_integer(ColumnBuilder& builder, std::string_view text) {
    T value;
    if (!parse_integer(text, value)) {
        return false;
    }
    builder.append<T>(value);
    return true;
}

bool append_decimal(ColumnBuilder& builder, std::string_view text) {
    const DataType& type = builder.type();
    int128_t value;
    if (parse_decimal(text, type.precision, type.scale, value) == DecimalParse::kInvalid) {
        return false;
    }
    switch (type.physical()) {
        case PhysicalType::kInt32:
            builder.append(static_cast<int32_t>(value));
            break;
        case PhysicalType::kInt64:
            builder.append(static_cast<int64_t>(value));
            break;
        default:
            builder.append(value);
    }
    return true;
}

bool append_ip(ColumnBuilder& builder, std::string_view text) {
    const std::string terminated(trim_blanks(text));
    if (builder.type().id == TypeId::kIpv4) {
        in_addr address;
        if (inet_pton(AF_INET, terminated.c_str(), &address) != 1) {
            return false;
        }
        builder.append(static_cast<int32_t>(ntohl(address.s_addr)));
        return true;
    }
    in6_addr address;
    if (inet_pton(AF_INET6, terminated.c_str(), &address) != 1) {
        in_addr narrow;
        if (inet_pton(AF_INET, terminated.c_str(), &narrow) != 1) {
            return false;
        }
        builder.append(static_cast<int128_t>(
            (static_cast<unsigned __int128>(0xFFFF) << 32) | ntohl(narrow.s_addr)
        ));
        return true;
    }
    unsigned __int128 value = 0;
    for (uint8_t byte : address.s6_addr) {
        value = (value << 8) | byte;
    }
    builder.append(static_cast<int128_t>(value));
    return true;
}

bool append_json(ColumnBuilder& builder, std::string_view text) {
    simdjson::dom::parser parser;
    simdjson::dom::element element;
    if (parser.parse(text.data(), text.size()).get(element) != simdjson::SUCCESS) {
        return false;
    }
    builder.append_string(simdjson::to_string(element));
    return true;
}

bool append_value(ColumnBuilder& builder, std::string_view text, const TimeZone* zone) {
    const DataType& type = builder.type();
    switch (type.id) {
        case TypeId::kNull:
            return false;
        case TypeId::kBoolean: {
            bool value;
            if (!parse_boolean(text, value)) {
                return false;
            }
            builder.append<uint8_t>(value ? 1 : 0);
            return true;
        }
        case TypeId::kTinyint:
            return append_integer<int8_t>(builder, text);
        case TypeId::kSmallint:
            return append_integer<int16_t>(builder, text);
        case TypeId::kInt:
            return append_integer<int32_t>(builder, text);
        case TypeId::kBigint:
            return append_integer<int64_t>(builder, text);
        case TypeId::kLargeint:
            return append_integer<int128_t>(builder, text);
        case TypeId::kFloat: {
            float value;
            if (!parse_float(text, value)) {
                return false;
            }
            builder.append(value);
            return true;
        }
        case TypeId::kDouble: {
            double value;
            if (!parse_double(text, value)) {
                return false;
            }
            builder.append(value);
            return true;
        }
        case TypeId::kDecimal:
            return append_decimal(builder, text);
        case TypeId::kDate: {
            int32_t days;
            if (!parse_date(text, zone, days)) {
                return false;
            }
            builder.append(days);
            return true;
        }
        case TypeId::kDatetime:
        case TypeId::kTime: {
            int64_t micros;
            const bool parsed = type.id == TypeId::kTime
                                    ? parse_time(text, type.scale, micros)
                                    : parse_datetime(text, type.scale, zone, micros);
            if (parsed) {
                builder.append(micros);
            }
            return parsed;
        }
        case TypeId::kIpv4:
        case TypeId::kIpv6:
            return append_ip(builder, text);
        case TypeId::kJson:
            return append_json(builder, text);
        case TypeId::kChar:
        case TypeId::kVarchar:
            builder.append_string(
                type.length > 0 ? text.substr(0, static_cast<size_t>(type.length)) : text
            );
            return true;
        default:
            builder.append_string(text);
            return true;
    }
}

std::string ip_text(const DataType& type, int128_t value) {
    char text[INET6_ADDRSTRLEN];
    if (type.id == TypeId::kIpv4) {
        in_addr address{htonl(static_cast<uint32_t>(value))};
        return inet_ntop(AF_INET, &address, text, sizeof(text));
    }
    in6_addr address;
    auto rest = static_cast<unsigned __int128>(value);
    for (int i = 15; i >= 0; --i) {
        address.s6_addr[i] = static_cast<uint8_t>(rest);
        rest >>= 8;
    }
    return inet_ntop(AF_INET6, &address, text, sizeof(text));
}

int128_t integer_at(const Column& column, uint32_t row) {
    return visit_physical(column.physical(), [&](auto tag) -> int128_t {
        using T = decltype(tag);
        if constexpr (std::is_integral_v<T> || std::is_same_v<T, int128_t>) {
            return static_cast<int128_t>(ColumnView<T>(column)[row]);
        } else {
            return 0;
        }
    });
}

}  // namespace

bool append_text(ColumnBuilder& builder, std::string_view text, const TimeZone* zone) {
    if (append_value(builder, text, zone)) {
        return true;
    }
    builder.append_null();
    return false;
}

void append_value_text(const Column& column, uint32_t row, std::string& out) {
    if (column.is_null(row)) {
        return;
    }
    char text[kMaxNumberText];
    const DataType& type = column.type();
    switch (column.physical()) {
        case PhysicalType::kString:
            out += ColumnView<StringRef>(column)[row].view();
            return;
        case PhysicalType::kFloat:
            out.append(text, print_float(text, ColumnView<float>(column)[row]));
            return;
        case PhysicalType::kDouble:
            out.append(text, print_double(text, ColumnView<double>(column)[row]));
            return;
        default:
            break;
    }
    const int128_t value = integer_at(column, row);
    switch (type.id) {
        case TypeId::kDecimal:
            out.append(text, print_decimal(text, value, type.scale));
            return;
        case TypeId::kDate:
            out.append(text, print_date(text, static_cast<int32_t>(value)));
            return;
        case TypeId::kDatetime:
            out.append(text, print_datetime(text, static_cast<int64_t>(value), type.scale));
            return;
        case TypeId::kTime:
            out.append(text, print_time(text, static_cast<int64_t>(value), type.scale));
            return;
        case TypeId::kIpv4:
        case TypeId::kIpv6:
            out += ip_text(type, value);
            return;
        default:
            out.append(text, print_int128(text, value));
    }
}

std::string value_text(const Column& column, uint32_t row) {
    if (column.is_null(row)) {
        return "NULL";
    }
    std::string text;
    append_value_text(column, row, text);
    return text;
}

}  // namespace thetis
