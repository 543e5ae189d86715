// SPDX-License-Identifier: Apache-2.0
// from_days, makedate, sec_to_time, time_to_sec.
#include "functions/adapters.h"
#include "types/date_time.h"

namespace thetis {

void register_make_date(ScalarRegistry& registry) {
    registry.add_kernel("from_days", row_kernel<int32_t>([](int32_t number) {
                            const int64_t days = int64_t{number} + kMinDate;
                            return days >= kMinDate && days <= kMaxDate
                                       ? std::optional<int32_t>(static_cast<int32_t>(days))
                                       : std::nullopt;
                        }));
    registry.add_kernel(
        "makedate",
        row_kernel<int32_t, int32_t>([](int32_t year, int32_t day) -> std::optional<int32_t> {
            if (year < 0 || year > 9999 || day <= 0) {
                return std::nullopt;
            }
            const int64_t days = int64_t{days_from_civil(year, 1, 1)} + day - 1;
            return days <= kMaxDate ? std::optional<int32_t>(static_cast<int32_t>(days))
                                    : std::nullopt;
        })
    );
    registry.add_kernel("sec_to_time", row_kernel<int32_t>([](int32_t seconds) {
                            constexpr int32_t kMaxSeconds = 838 * 3600 + 59 * 60 + 59;
                            return int64_t{std::clamp(seconds, -kMaxSeconds, kMaxSeconds)} *
                                   kMicrosPerSecond;
                        }));
    registry.add_kernel("time_to_sec", row_kernel<int64_t>([](int64_t micros) {
                            return static_cast<int32_t>(micros / kMicrosPerSecond);
                        }));
}

}  // namespace thetis
