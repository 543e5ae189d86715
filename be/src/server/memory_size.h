// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"

namespace thetis {

/// `90%` of `whole`, or bytes with an optional unit (`8G`, `512m`, `1.5T`).
Result<int64_t> parse_memory_size(std::string_view text, int64_t whole);

/// Memory of the machine, or of the control group when that is less.
int64_t machine_memory_bytes();

}  // namespace thetis
