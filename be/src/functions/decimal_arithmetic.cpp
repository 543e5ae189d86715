// SPDX-License-Identifier: Apache-2.0
#include "functions/decimal_arithmetic.h"

#include "base/text/numbers.h"

namespace thetis {

Status decimal_overflow(
    std::string_view operation,
    int128_t left,
    int left_scale,
    int128_t right,
    int right_scale,
    const DataType& type
) {
    char a[kMaxNumberText];
    char b[kMaxNumberText];
    const std::string_view left_text(
        a, static_cast<size_t>(print_decimal(a, left, left_scale) - a)
    );
    const std::string_view right_text(
        b, static_cast<size_t>(print_decimal(b, right, right_scale) - b)
    );
    return Status::error(
        ErrorCode::kOutOfRange,
        "Arithmetic overflow: {} {} {} does not fit {}",
        left_text,
        operation,
        right_text,
        type.to_string()
    );
}

Status decimal_cast_overflow(std::string_view value, const DataType& type) {
    return Status::error(
        ErrorCode::kOutOfRange,
        "Arithmetic overflow: value {} does not fit {}",
        value,
        type.to_string()
    );
}

}  // namespace thetis
