// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "types/date_time.h"

namespace thetis {

/// Week numbers as MySQL counts them. Bit 0 of the mode: weeks start on Monday; bit 1: weeks 1..53
/// and the year of the week may differ from the day's; bit 2: week 1 is the first that starts in
/// the year (else the first with four or more days).
struct WeekOfYear {
    int32_t year;
    int32_t week;
};

inline WeekOfYear week_of_year(int32_t days, int32_t mode) {
    bool monday_first = (mode & 1) != 0;
    bool week_year = (mode & 2) != 0;
    bool first_weekday = (mode & 4) != 0;
    if (!monday_first) {
        first_weekday = !first_weekday;
    }
    int32_t year;
    int32_t month;
    int32_t day;
    civil_from_days(days, year, month, day);
    // Days since the first day of the week, for a day number.
    const auto weekday = [monday_first](int32_t number) {
        const int32_t from_monday = ((number + 3) % 7 + 7) % 7;
        return monday_first ? from_monday : (from_monday + 1) % 7;
    };
    int32_t first_day = days_from_civil(year, 1, 1);
    int32_t first_weekday_number = weekday(first_day);
    if (month == 1 && day <= 7 - first_weekday_number) {
        const bool belongs_to_last_year =
            first_weekday ? first_weekday_number != 0 : first_weekday_number >= 4;
        if (!week_year && belongs_to_last_year) {
            return {year, 0};
        }
        if (belongs_to_last_year) {
            week_year = true;
            --year;
            const int32_t year_days = is_leap_year(year) ? 366 : 365;
            first_day -= year_days;
            first_weekday_number = weekday(first_day);
        }
    }
    const bool first_week_is_partial =
        first_weekday ? first_weekday_number != 0 : first_weekday_number >= 4;
    const int32_t start = first_week_is_partial ? first_day + (7 - first_weekday_number)
                                                : first_day - first_weekday_number;
    const int32_t offset = days - start;
    if (week_year && offset >= 52 * 7) {
        const int32_t next_first = first_day + (is_leap_year(year) ? 366 : 365);
        const int32_t next_weekday = weekday(next_first);
        if (first_weekday ? next_weekday == 0 : next_weekday < 4) {
            return {year + 1, 1};
        }
    }
    return {year, offset / 7 + 1};
}

}  // namespace thetis
