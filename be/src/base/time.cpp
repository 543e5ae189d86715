// SPDX-License-Identifier: Apache-2.0
#include "base/time.h"

namespace thetis {

int64_t SystemClock::unix_micros() const {
    const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::microseconds>(since_epoch).count();
}

std::chrono::steady_clock::time_point SystemClock::steady_now() const {
    return std::chrono::steady_clock::now();
}

}  // namespace thetis
