// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/status.h"
#include "functions/eval_context.h"
#include "types/decimal.h"

namespace thetis {

/// a * b; true on overflow of 128 bits. One multiplication while both fit 64 bits, which is nearly
/// always.
inline bool multiply_overflows(int128_t a, int128_t b, int128_t& product) {
    const auto low_a = static_cast<int64_t>(a);
    const auto low_b = static_cast<int64_t>(b);
    if (low_a == a && low_b == b) [[likely]] {
        product = static_cast<int128_t>(low_a) * low_b;
        return false;
    }
    const auto magnitude = [](int128_t x) {
        return x < 0 ? 0 - static_cast<unsigned __int128>(x) : static_cast<unsigned __int128>(x);
    };
    const unsigned __int128 x = magnitude(a);
    const unsigned __int128 y = magnitude(b);
    if (x != 0 && y > (~static_cast<unsigned __int128>(0) >> 1) / x) {
        product = 0;
        return true;
    }
    product = static_cast<int128_t>((a < 0) != (b < 0) ? 0 - x * y : x * y);
    return false;
}

/// Whether a value has more digits than its type may hold.
inline bool exceeds_precision(int128_t value, int128_t limit) {
    return value > limit || value < -limit;
}

/// `Arithmetic overflow: <operation> of ... ` naming operands and type.
Status decimal_overflow(
    std::string_view operation,
    int128_t left,
    int left_scale,
    int128_t right,
    int right_scale,
    const DataType& type
);
Status decimal_cast_overflow(std::string_view value, const DataType& type);

}  // namespace thetis
