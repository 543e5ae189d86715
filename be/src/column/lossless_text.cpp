// SPDX-License-Identifier: Apache-2.0
#include "column/lossless_text.h"

#include <string>
#include <string_view>

#include "column/text_conversion.h"

namespace thetis {

namespace {

std::string_view strip(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r\n\v\f";
    const size_t begin = text.find_first_not_of(kBlanks);
    return begin == std::string_view::npos
               ? std::string_view()
               : text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

/// Sign and digits of a decimal number without what adds nothing: '+', zeros in front, zeros at the
/// end of the fraction. Other text stays as it is.
std::string plain_number(std::string_view text) {
    std::string sign;
    if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
        sign = text[0] == '-' ? "-" : "";
        text.remove_prefix(1);
    }
    const size_t point = text.find('.');
    std::string_view whole = text.substr(0, point);
    std::string_view fraction =
        point == std::string_view::npos ? std::string_view() : text.substr(point + 1);
    const size_t first = whole.find_first_not_of('0');
    whole = first == std::string_view::npos ? std::string_view() : whole.substr(first);
    const size_t last = fraction.find_last_not_of('0');
    fraction = last == std::string_view::npos ? std::string_view() : fraction.substr(0, last + 1);
    if (whole.empty() && fraction.empty()) {
        return "0";
    }
    return sign + std::string(whole) + "." + std::string(fraction);
}

}  // namespace

bool keeps_text(const Column& from, const Column& to, uint32_t row) {
    constexpr size_t kDateLength = 10;
    const std::string text = value_text(from, row);
    const std::string_view given = strip(text);
    switch (to.type().id) {
        case TypeId::kTinyint:
        case TypeId::kSmallint:
        case TypeId::kInt:
        case TypeId::kBigint:
        case TypeId::kLargeint:
        case TypeId::kDecimal:
            return plain_number(given) == plain_number(value_text(to, row));
        case TypeId::kDate:
            return given.size() <= kDateLength;
        default:
            return true;
    }
}

}  // namespace thetis
