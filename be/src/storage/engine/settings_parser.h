// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"

namespace thetis {

/// `20%` of `whole_bytes`, or bytes with an optional unit K, M, G, T (`512M`). invalid_argument
/// names the text.
Result<int64_t> parse_bytes_or_share(std::string_view text, int64_t whole_bytes);

}  // namespace thetis
