// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/debug_points.h"
#include "base/status.h"

namespace thetis {

/// Where a fault may strike: does what the debug point's parameter `action` says: `fail` (the
/// default) gives io_error, `full` gives disk_full, `kill` ends the process as kill -9 does,
/// `delay` waits `ms` milliseconds. Ok when the point is off or `points` is null.
Status strike(DebugPoints* points, std::string_view name);

}  // namespace thetis
