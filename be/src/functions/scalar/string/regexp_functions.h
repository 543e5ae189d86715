// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include <re2/re2.h>

#include "base/status.h"

namespace thetis {

/// A compiled pattern as SQL uses it: UTF-8, `.` matches newlines, no logging.
inline std::shared_ptr<const re2::RE2> compile_regexp(std::string_view pattern) {
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_dot_nl(true);
    options.set_max_mem(int64_t{8} << 20);
    return std::make_shared<const re2::RE2>(
        re2::StringPiece(pattern.data(), pattern.size()), options
    );
}

inline Status regexp_error(const re2::RE2& regexp) {
    return Status::error(
        ErrorCode::kInvalidArgument,
        "Invalid regular expression '{}': {}",
        regexp.pattern(),
        regexp.error()
    );
}

inline re2::StringPiece piece_of(std::string_view text) {
    return {text.data(), text.size()};
}

}  // namespace thetis
