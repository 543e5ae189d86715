// SPDX-License-Identifier: Apache-2.0
// Parts of a date or time: year .. microsecond, quarter, day numbers, names, and functions from
// days to days.
#include "functions/adapters.h"
#include "types/date_time.h"

namespace thetis {

namespace {

/// A function of the day, for DATE and DATETIME arguments.
template <typename R, typename Function>
KernelFactory of_day(Function function) {
    return [function](const BindCall& call) -> Result<Kernel> {
        if (call.argument_types.size() != 1) {
            return unsupported_arguments(call);
        }
        switch (call.argument_types[0].id) {
            case TypeId::kDate:
                return Kernel([function](const KernelCall& batch) -> Result<ColumnPtr> {
                    return map_unary<int32_t, R>(batch, [function](int32_t days) {
                        return static_cast<R>(function(days));
                    });
                });
            case TypeId::kDatetime:
                return Kernel([function](const KernelCall& batch) -> Result<ColumnPtr> {
                    return map_unary<int64_t, R>(batch, [function](int64_t micros) {
                        return static_cast<R>(function(days_of_datetime(micros)));
                    });
                });
            default:
                return unsupported_arguments(call);
        }
    };
}

/// A function of the time of day in microseconds; zero for DATE.
template <typename R, typename Function>
KernelFactory of_time(Function function) {
    return [function](const BindCall& call) -> Result<Kernel> {
        if (call.argument_types.size() != 1) {
            return unsupported_arguments(call);
        }
        switch (call.argument_types[0].id) {
            case TypeId::kDate:
                return Kernel([function](const KernelCall& batch) -> Result<ColumnPtr> {
                    return map_unary<int32_t, R>(batch, [function](int32_t) {
                        return static_cast<R>(function(0));
                    });
                });
            case TypeId::kDatetime:
                return Kernel([function](const KernelCall& batch) -> Result<ColumnPtr> {
                    return map_unary<int64_t, R>(batch, [function](int64_t micros) {
                        return static_cast<R>(function(time_of_datetime(micros)));
                    });
                });
            default:
                return unsupported_arguments(call);
        }
    };
}

int32_t year_of(int32_t days) {
    return civil_from_date(days).year;
}

int32_t month_of(int32_t days) {
    return civil_from_date(days).month;
}

/// 0 = Monday; 1970-01-01 was a Thursday.
int32_t weekday_of(int32_t days) {
    return ((days + 3) % 7 + 7) % 7;
}

int32_t day_of_year(int32_t days) {
    return days - days_from_civil(year_of(days), 1, 1) + 1;
}

int32_t last_day(int32_t days) {
    const CivilTime civil = civil_from_date(days);
    return days_from_civil(civil.year, civil.month, days_in_month(civil.year, civil.month));
}

constexpr std::string_view kDayNames[] = {
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"
};
constexpr std::string_view kMonthNames[] = {
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December"
};

template <typename Name>
KernelFactory name_of_day(Name name) {
    return [name](const BindCall& call) -> Result<Kernel> {
        if (call.argument_types.size() == 1 && call.argument_types[0].id == TypeId::kDate) {
            return row_kernel<int32_t>(name);
        }
        if (call.argument_types.size() == 1 && call.argument_types[0].id == TypeId::kDatetime) {
            return row_kernel<int64_t>([name](int64_t micros) {
                return name(days_of_datetime(micros));
            });
        }
        return unsupported_arguments(call);
    };
}

}  // namespace

void register_parts(ScalarRegistry& registry) {
    registry.add("year", of_day<int16_t>(year_of));
    registry.add("quarter", of_day<int8_t>([](int32_t days) { return (month_of(days) + 2) / 3; }));
    registry.add("month", of_day<int8_t>(month_of));
    registry.add("day", of_day<int8_t>([](int32_t days) { return civil_from_date(days).day; }));
    registry.add("dayofyear", of_day<int16_t>(day_of_year));
    registry.add("weekday", of_day<int8_t>(weekday_of));
    registry.add("dayofweek", of_day<int8_t>([](int32_t days) {
                     return (weekday_of(days) + 1) % 7 + 1;
                 }));
    registry.add("last_day", of_day<int32_t>(last_day));
    registry.add("to_monday", of_day<int32_t>([](int32_t days) {
                     // Days of the week that holds 1970-01-01 have no earlier Monday to go to.
                     return days >= 0 && days < 4 ? 0 : days - weekday_of(days);
                 }));
    registry.add("to_date", of_day<int32_t>([](int32_t days) { return days; }));
    registry.add("to_days", of_day<int32_t>([](int32_t days) { return days - kMinDate; }));
    registry.add("hour", of_time<int8_t>([](int64_t time) {
                     return time / (3600 * kMicrosPerSecond);
                 }));
    registry.add("minute", of_time<int8_t>([](int64_t time) {
                     return time / (60 * kMicrosPerSecond) % 60;
                 }));
    registry.add("second", of_time<int8_t>([](int64_t time) {
                     return time / kMicrosPerSecond % 60;
                 }));
    registry.add("microsecond", of_time<int32_t>([](int64_t time) {
                     return time % kMicrosPerSecond;
                 }));
    registry.add("dayname", name_of_day([](int32_t days) { return kDayNames[weekday_of(days)]; }));
    registry.add("monthname", name_of_day([](int32_t days) {
                     return kMonthNames[month_of(days) - 1];
                 }));
}

}  // namespace thetis
