// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace thetis {

/// Longest text any of the append/print functions below makes.
inline constexpr size_t kMaxNumberText = 48;

/// Blanks as SQL text conversion skips them: space, tab, newline, vertical tab, form feed, carriage
/// return.
inline bool is_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

inline bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::string_view trim_blanks(std::string_view text);

/// SQL text to integer: blanks around, sign, digits, an optional fraction that is dropped. False
/// when it is not a number or does not fit; `value` is then untouched. T: int8_t, int16_t, int32_t,
/// int64_t, __int128.
template <typename T>
bool parse_integer(std::string_view text, T& value);

extern template bool parse_integer(std::string_view, int8_t&);
extern template bool parse_integer(std::string_view, int16_t&);
extern template bool parse_integer(std::string_view, int32_t&);
extern template bool parse_integer(std::string_view, int64_t&);
extern template bool parse_integer(std::string_view, __int128&);

/// SQL text to float: usual forms, exponent, inf, nan, blanks around.
bool parse_double(std::string_view text, double& value);
bool parse_float(std::string_view text, float& value);

/// `true`/`false` in any case or a number (non-zero is true), blanks around.
bool parse_boolean(std::string_view text, bool& value);

/// Decimal digits at `out`, which has room for kMaxNumberText; returns the end.
char* print_integer(char* out, int64_t value);
char* print_unsigned(char* out, uint64_t value);
char* print_int128(char* out, __int128 value);

/// Shortest digits that read back the same; plain form from 1e-4 to below 1e16, else `d.ddde+NN`;
/// `nan`, `inf`, `-inf`.
char* print_double(char* out, double value);
char* print_float(char* out, float value);

std::string int128_to_string(__int128 value);

}  // namespace thetis
