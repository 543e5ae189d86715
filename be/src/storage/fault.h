// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/debug_points.h"
#include "base/status.h"

namespace thetis {

/// Does what the debug point's `action` says: `fail` (default) gives io_error, `full` disk_full,
/// `kill` ends the process as kill -9 does, `delay` waits `ms` milliseconds, `wait` until the point
/// is removed or 2 minutes passed. Ok when the point is off or `points` is null.
Status strike(DebugPoints* points, std::string_view name);

}  // namespace thetis
