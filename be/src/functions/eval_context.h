// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "types/time_zone.h"

namespace thetis {

/// What an evaluation may know about its statement. One per pipeline task; not shared between
/// threads.
struct EvalContext {
    TimeZonePtr time_zone = TimeZone::utc();
    int64_t now_micros = 0;              ///< Statement time, UTC.
    bool check_decimal_overflow = true;  ///< Overflow is an error; otherwise digits are undefined.
    uint64_t random_state = 0x9E3779B97F4A7C15ULL;
};

}  // namespace thetis
