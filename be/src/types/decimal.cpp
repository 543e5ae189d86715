// SPDX-License-Identifier: Apache-2.0
#include "types/decimal.h"

#include <array>
#include <charconv>
#include <cmath>

#include "base/text/numbers.h"

namespace thetis {

namespace {

constexpr std::array<int128_t, 39> make_powers() {
    std::array<int128_t, 39> powers{};
    int128_t value = 1;
    for (size_t i = 0; i < powers.size(); ++i) {
        powers[i] = value;
        value = i + 1 < powers.size() ? value * 10 : value;
    }
    return powers;
}

constexpr std::array<int128_t, 39> kPowers = make_powers();

}  // namespace

int128_t power_of_ten(int exponent) {
    return kPowers[static_cast<size_t>(exponent)];
}

int128_t divide_half_up(int128_t value, int128_t divisor) {
    const int128_t quotient = value / divisor;
    const int128_t rest = value % divisor;
    const int128_t magnitude = rest < 0 ? -rest : rest;
    if (magnitude >= divisor - magnitude) {
        return value < 0 ? quotient - 1 : quotient + 1;
    }
    return quotient;
}

bool rescale_decimal(int128_t value, int from_scale, int to_scale, int128_t& result) {
    if (to_scale <= from_scale) {
        const int drop = from_scale - to_scale;
        result =
            drop == 0
                ? value
                : (drop > kMaxDecimalPrecision ? 0 : divide_half_up(value, power_of_ten(drop)));
        return true;
    }
    const int grow = to_scale - from_scale;
    if (value == 0) {
        result = 0;
        return true;
    }
    if (grow > kMaxDecimalPrecision) {
        return false;
    }
    const int128_t limit = max_decimal(kMaxDecimalPrecision - grow);
    if (value > limit || value < -limit) {
        return false;
    }
    result = value * power_of_ten(grow);
    return true;
}

DecimalParse parse_decimal(std::string_view text, int precision, int scale, int128_t& value) {
    text = trim_blanks(text);
    const char* next = text.data();
    const char* end = next + text.size();
    bool negative = false;
    if (next != end && (*next == '-' || *next == '+')) {
        negative = *next++ == '-';
    }

    // Up to 39 significant digits are kept; `point` is where the decimal point stands relative to
    // their start.
    char digits[40];
    int num_digits = 0;
    int64_t point = 0;
    bool any_digit = false;
    bool after_point = false;
    for (; next != end; ++next) {
        if (*next == '.' && !after_point) {
            after_point = true;
            continue;
        }
        if (!is_digit(*next)) {
            break;
        }
        any_digit = true;
        if (num_digits == 0 && *next == '0') {
            point -= after_point ? 1 : 0;
            continue;
        }
        if (num_digits < 40) {
            digits[num_digits++] = static_cast<char>(*next - '0');
            point += after_point ? 0 : 1;
        } else {
            point += after_point ? 0 : 1;
        }
    }
    if (!any_digit) {
        value = 0;
        return DecimalParse::kInvalid;
    }
    if (next != end && (*next == 'e' || *next == 'E')) {
        const char* first = next + 1;
        if (first != end && *first == '+') {
            ++first;
        }
        int32_t exponent = 0;
        auto [stop, error] = std::from_chars(first, end, exponent);
        if (error == std::errc()) {
            point += exponent;
        } else if (error == std::errc::result_out_of_range) {
            point += *first == '-' ? -100000 : 100000;
        }
    }

    // Digits before position point + scale are the result; the next one rounds.
    const int128_t limit = max_decimal(precision);
    const int64_t wanted = point + scale;
    int128_t result = 0;
    bool overflow = false;
    if (num_digits > 0 && wanted > kMaxDecimalPrecision) {
        overflow = true;
    } else if (num_digits > 0 && wanted >= 0) {
        for (int64_t i = 0; i < wanted; ++i) {
            result = result * 10 + (i < num_digits ? digits[i] : 0);
        }
        result += wanted < num_digits && digits[wanted] >= 5 ? 1 : 0;
        overflow = result > limit;
    }
    value = overflow ? limit : result;
    value = negative ? -value : value;
    return overflow ? DecimalParse::kOverflow : DecimalParse::kOk;
}

char* print_decimal(char* out, int128_t value, int scale) {
    if (value < 0) {
        *out++ = '-';
        value = -value;
    }
    if (scale == 0) {
        return print_int128(out, value);
    }
    const int128_t unit = power_of_ten(scale);
    out = print_int128(out, value / unit);
    *out++ = '.';
    int128_t fraction = value % unit;
    int i = scale;
    for (; i > 18; --i) {
        out[i - 1] = static_cast<char>('0' + static_cast<int>(fraction % 10));
        fraction /= 10;
    }
    auto low = static_cast<uint64_t>(fraction);
    for (; i > 0; --i) {
        out[i - 1] = static_cast<char>('0' + low % 10);
        low /= 10;
    }
    return out + scale;
}

double decimal_to_double(int128_t value, int scale) {
    const int128_t magnitude = value < 0 ? -value : value;
    if (magnitude <= (int128_t{1} << 53) && scale <= 22) {
        return static_cast<double>(value) /
               static_cast<double>(power_of_ten(scale));  // One correctly rounded operation.
    }
    char text[kMaxNumberText];
    char* end = print_decimal(text, value, scale);
    double result = 0;
    std::from_chars(text, end, result);
    return result;
}

bool double_to_decimal(double value, int precision, int scale, int128_t& result) {
    if (!std::isfinite(value)) {
        return false;
    }
    // Through the shortest digits, so that 0.285 is 0.285 and not 0.284999....
    char text[kMaxNumberText];
    const char* end = print_double(text, value);
    return parse_decimal({text, end}, precision, scale, result) == DecimalParse::kOk;
}

}  // namespace thetis
