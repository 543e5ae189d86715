// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace thetis {

/// Appends a moment as MySQL's DATE_FORMAT prints it.
void format_datetime(std::string& out, int64_t micros, std::string_view pattern);

/// The % pattern for the Java-like ones that are recognised (`yyyy-MM-dd`, `yyyy-MM-dd HH:mm:ss`,
/// `yyyyMMdd`); others as they are.
std::string_view canonical_date_pattern(std::string_view pattern);

/// Reads text by a % pattern as STR_TO_DATE does; nothing on mismatch or when it is no date.
std::optional<int64_t> parse_by_pattern(std::string_view text, std::string_view pattern);

}  // namespace thetis
