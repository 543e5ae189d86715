// SPDX-License-Identifier: Apache-2.0
// week, weekofyear, yearweek.
#include "functions/adapters.h"
#include "functions/scalar/date/calendar_weeks.h"

namespace thetis {

void register_weeks(ScalarRegistry& registry) {
    registry.add("week", [](const BindCall& call) -> Result<Kernel> {
        if (call.argument_types.size() == 1) {
            return row_kernel<int32_t>([](int32_t days) {
                return static_cast<int8_t>(week_of_year(days, 0).week);
            });
        }
        return row_kernel<int32_t, int32_t>([](int32_t days, int32_t mode) {
            return static_cast<int8_t>(week_of_year(days, mode).week);
        });
    });
    registry.add("weekofyear", [](const BindCall& call) -> Result<Kernel> {
        if (call.argument_types[0].id == TypeId::kDate) {
            return row_kernel<int32_t>([](int32_t days) {
                return static_cast<int8_t>(week_of_year(days, 3).week);
            });
        }
        return row_kernel<int64_t>([](int64_t micros) {
            return static_cast<int8_t>(week_of_year(days_of_datetime(micros), 3).week);
        });
    });
    registry.add("yearweek", [](const BindCall& call) -> Result<Kernel> {
        const auto number = [](int32_t days, int32_t mode) {
            const WeekOfYear week = week_of_year(days, mode | 2);
            return week.year * 100 + week.week;
        };
        if (call.argument_types.size() == 1) {
            return row_kernel<int32_t>([number](int32_t days) { return number(days, 0); });
        }
        return row_kernel<int32_t, int32_t>(number);
    });
}

}  // namespace thetis
