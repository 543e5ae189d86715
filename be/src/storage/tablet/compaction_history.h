// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace thetis {

/// When compactions of one kind ended, for those who operate the system. Milliseconds since 1970;
/// 0: never since the start of the process. A plain value.
struct CompactionHistory {
    int64_t last_schedule_ms = 0;
    int64_t last_success_ms = 0;
    int64_t last_failure_ms = 0;
    std::string last_status;
};

}  // namespace thetis
