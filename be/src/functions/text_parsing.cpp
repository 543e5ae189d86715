// SPDX-License-Identifier: Apache-2.0
#include "functions/text_parsing.h"

#include "base/text/numbers.h"
#include "column/builder.h"
#include "column/text_conversion.h"
#include "types/date_time.h"
#include "types/decimal.h"

namespace thetis {

namespace {

/// Up to nine digits with an optional sign and nothing else: what nearly all integer fields are.
bool parse_short_integer(std::string_view text, int32_t& value) {
    const bool negative = !text.empty() && text[0] == '-';
    const char* next = text.data() + (negative ? 1 : 0);
    const char* end = text.data() + text.size();
    if (next == end || end - next > 9) {
        return false;
    }
    int32_t result = 0;
    for (; next != end; ++next) {
        const auto digit = static_cast<uint32_t>(*next - '0');
        if (digit > 9) {
            return false;
        }
        result = result * 10 + static_cast<int32_t>(digit);
    }
    value = negative ? -result : result;
    return true;
}

template <typename T>
bool parse_value(std::string_view text, T& value) {
    int32_t plain;
    if (parse_short_integer(text, plain) && static_cast<T>(plain) == plain) {
        value = static_cast<T>(plain);
        return true;
    }
    return parse_integer(text, value);
}

/// `[-]digits[.digits]` of at most 18 digits with no more fraction than the type keeps.
bool parse_short_decimal(std::string_view text, int scale, int64_t& value) {
    const bool negative = !text.empty() && text[0] == '-';
    const char* next = text.data() + (negative ? 1 : 0);
    const char* end = text.data() + text.size();
    if (next == end || end - next > 18) {
        return false;
    }
    int64_t digits = 0;
    int missing = scale;
    bool after_point = false;
    bool any_digit = false;
    for (; next != end; ++next) {
        const auto digit = static_cast<uint32_t>(*next - '0');
        if (digit <= 9) {
            digits = digits * 10 + digit;
            missing -= after_point ? 1 : 0;
            any_digit = true;
        } else if (*next == '.' && !after_point) {
            after_point = true;
        } else {
            return false;
        }
    }
    if (!any_digit || missing < 0 || missing > 18) {
        return false;
    }
    const int128_t scaled = static_cast<int128_t>(digits) * power_of_ten(missing);
    if (scaled > INT64_MAX) {
        return false;
    }
    value = negative ? -static_cast<int64_t>(scaled) : static_cast<int64_t>(scaled);
    return true;
}

/// `YYYY-MM-DD hh:mm:ss`.
bool parse_plain_datetime(std::string_view text, int64_t& micros) {
    if (text.size() != 19 || text[4] != '-' || text[7] != '-' || text[10] != ' ' ||
        text[13] != ':' || text[16] != ':') {
        return false;
    }
    bool all_digits = true;
    const auto two = [&](size_t at) {
        all_digits &= is_digit(text[at]) && is_digit(text[at + 1]);
        return (text[at] - '0') * 10 + (text[at + 1] - '0');
    };
    const CivilTime civil{two(0) * 100 + two(2), two(5), two(8), two(11), two(14), two(17), 0};
    if (!all_digits || !is_valid_civil(civil)) {
        return false;
    }
    micros = datetime_from_civil(civil);
    return true;
}

/// Runs `parse(text, value)` over all rows; false is NULL.
template <typename T, typename Parse>
ColumnPtr parse_rows(const ColumnPtr& column, const DataType& target, Parse parse) {
    const uint32_t num_rows = column->size();
    const auto* texts = column->values<StringRef>();
    auto out = Buffer::allocate(num_rows * sizeof(T));
    T* values = out->as<T>();
    std::shared_ptr<Buffer> valid;
    for (uint32_t i = 0; i < num_rows; ++i) {
        const bool is_null = !validity::is_valid(column->valid_words(), i);
        if (is_null || !parse(texts[i].view(), values[i])) {
            values[i] = 0;
            if (valid == nullptr) {
                valid = validity::all_valid(num_rows);
            }
            validity::set_null(valid->as<uint64_t>(), i);
        }
    }
    return Column::flat(target, num_rows, std::move(out), std::move(valid));
}

template <typename T>
ColumnPtr parse_decimals(const ColumnPtr& column, const DataType& target) {
    const int precision = target.precision;
    const int scale = target.scale;
    const int128_t limit = max_decimal(precision);
    return parse_rows<T>(column, target, [=](std::string_view text, T& value) {
        int64_t plain;
        if (parse_short_decimal(text, scale, plain) && plain <= limit && plain >= -limit) {
            value = static_cast<T>(plain);
            return true;
        }
        int128_t wide = 0;
        const bool valid = parse_decimal(text, precision, scale, wide) != DecimalParse::kInvalid;
        value = static_cast<T>(wide);
        return valid;
    });
}

/// Types without a fast path.
ColumnPtr parse_others(const ColumnPtr& column, const DataType& target, const TimeZone* zone) {
    ColumnBuilder builder(target, column->size());
    const auto* texts = column->values<StringRef>();
    for (uint32_t i = 0; i < column->size(); ++i) {
        if (column->is_null(i)) {
            builder.append_null();
        } else {
            append_text(builder, texts[i].view(), zone);
        }
    }
    return builder.finish();
}

}  // namespace

ColumnPtr parse_text_column(const ColumnPtr& column, const DataType& target, const TimeZone* zone) {
    switch (target.id) {
        case TypeId::kTinyint:
            return parse_rows<int8_t>(column, target, parse_value<int8_t>);
        case TypeId::kSmallint:
            return parse_rows<int16_t>(column, target, parse_value<int16_t>);
        case TypeId::kInt:
            return parse_rows<int32_t>(column, target, parse_value<int32_t>);
        case TypeId::kBigint:
            return parse_rows<int64_t>(column, target, parse_value<int64_t>);
        case TypeId::kLargeint:
            return parse_rows<int128_t>(column, target, parse_value<int128_t>);
        case TypeId::kFloat:
            return parse_rows<float>(column, target, parse_float);
        case TypeId::kDouble:
            return parse_rows<double>(column, target, parse_double);
        case TypeId::kDecimal:
            switch (target.physical()) {
                case PhysicalType::kInt32:
                    return parse_decimals<int32_t>(column, target);
                case PhysicalType::kInt64:
                    return parse_decimals<int64_t>(column, target);
                default:
                    return parse_decimals<int128_t>(column, target);
            }
        case TypeId::kDate:
            return parse_rows<int32_t>(
                column,
                target,
                [zone](std::string_view text, int32_t& days) {
                    return parse_date(text, zone, days);
                }
            );
        case TypeId::kDatetime:
            return parse_rows<int64_t>(
                column,
                target,
                [zone, scale = target.scale](std::string_view text, int64_t& micros) {
                    return parse_plain_datetime(text, micros) ||
                           parse_datetime(text, scale, zone, micros);
                }
            );
        default:
            return parse_others(column, target, zone);
    }
}

}  // namespace thetis
