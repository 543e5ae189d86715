// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "types/data_type.h"

namespace thetis {

inline constexpr int kMaxDecimalPrecision = 38;

/// 10^exponent for 0 <= exponent <= 38.
int128_t power_of_ten(int exponent);

/// Greatest unscaled value of `precision` digits: 10^precision - 1.
inline int128_t max_decimal(int precision) {
    return power_of_ten(precision) - 1;
}

/// Division rounding half away from zero; divisor > 0.
int128_t divide_half_up(int128_t value, int128_t divisor);

/// `value` at `from_scale` expressed at `to_scale`, rounding half away from zero. False when it
/// leaves 38 digits.
bool rescale_decimal(int128_t value, int from_scale, int to_scale, int128_t& result);

enum class DecimalParse : uint8_t {
    kOk,
    kInvalid,   ///< No number at the start.
    kOverflow,  ///< Saturated to the greatest or least value of the precision.
};

/// Text to an unscaled value: blanks, sign, digits, fraction, exponent; rounds half up at `scale`;
/// garbage after a valid prefix is ignored.
DecimalParse parse_decimal(std::string_view text, int precision, int scale, int128_t& value);

/// All `scale` digits: `1.340`, `-0.05`, `12`. Writes at most 48 bytes, returns the end.
char* print_decimal(char* out, int128_t value, int scale);

double decimal_to_double(int128_t value, int scale);
/// Rounds half away from zero; false when it does not fit `precision`, or is no finite number.
bool double_to_decimal(double value, int precision, int scale, int128_t& result);

}  // namespace thetis
