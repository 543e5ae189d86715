// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace thetis {

class TimeZone;

inline constexpr int64_t kMicrosPerSecond = 1000000;
inline constexpr int64_t kSecondsPerDay = 86400;
inline constexpr int64_t kMicrosPerDay = kSecondsPerDay * kMicrosPerSecond;
/// 0000-01-01 and 9999-12-31 as days since 1970-01-01.
inline constexpr int32_t kMinDate = -719528;
inline constexpr int32_t kMaxDate = 2932896;
inline constexpr int64_t kMinDatetime = int64_t{kMinDate} * kMicrosPerDay;
inline constexpr int64_t kMaxDatetime = (int64_t{kMaxDate} + 1) * kMicrosPerDay - 1;

/// A calendar day (proleptic Gregorian) and a time of day.
struct CivilTime {
    int32_t year = 1970;
    int32_t month = 1;
    int32_t day = 1;
    int32_t hour = 0;
    int32_t minute = 0;
    int32_t second = 0;
    int32_t micros = 0;
};

constexpr bool is_leap_year(int32_t year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

int32_t days_in_month(int32_t year, int32_t month);

/// Days since 1970-01-01; any year, month 1..12. Algorithm: H. Hinnant, "chrono-compatible
/// low-level date algorithms".
constexpr int32_t days_from_civil(int32_t year, int32_t month, int32_t day) {
    year -= month <= 2 ? 1 : 0;
    const int32_t era = (year >= 0 ? year : year - 399) / 400;
    const int32_t year_of_era = year - era * 400;
    const int32_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    const int32_t day_of_era =
        year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468;
}

/// Year, month and day of days since 1970-01-01.
constexpr void civil_from_days(int32_t days, int32_t& year, int32_t& month, int32_t& day) {
    const int64_t shifted = int64_t{days} + 719468;
    const auto era = static_cast<int32_t>((shifted >= 0 ? shifted : shifted - 146096) / 146097);
    const auto day_of_era = static_cast<int32_t>(shifted - int64_t{era} * 146097);
    const int32_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    const int32_t day_of_year =
        day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const int32_t shifted_month = (5 * day_of_year + 2) / 153;
    day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
    year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
}

/// Floor division into days and the time within the day.
constexpr int32_t days_of_datetime(int64_t micros) {
    return static_cast<int32_t>(micros / kMicrosPerDay - (micros % kMicrosPerDay < 0 ? 1 : 0));
}

constexpr int64_t time_of_datetime(int64_t micros) {
    return micros - int64_t{days_of_datetime(micros)} * kMicrosPerDay;
}

CivilTime civil_from_datetime(int64_t micros);
CivilTime civil_from_date(int32_t days);
int64_t datetime_from_civil(const CivilTime& civil);

/// Whether month, day and time parts name a real moment of years 0..9999.
bool is_valid_civil(const CivilTime& civil);

/// Text to DATE or DATETIME in all the forms SQL text may have: separated parts of one or more
/// digits, YYYYMMDD[hhmmss], two-digit years, any punctuation, fraction, zone suffix (converted to
/// `zone`; UTC when null). False when it is none. `scale`: the fraction is rounded half up to so
/// many digits, carrying.
bool parse_datetime(std::string_view text, int scale, const TimeZone* zone, int64_t& micros);
bool parse_date(std::string_view text, const TimeZone* zone, int32_t& days);
/// `[-][H]HH:MM:SS[.f]`, `HH:MM`, digits `HHMMSS`, or a date and time, of which the time counts.
bool parse_time(std::string_view text, int scale, int64_t& micros);

/// yyyymmdd or yyyymmddhhmmss as a number; false when it is no date.
bool datetime_from_number(int64_t number, int64_t& micros);
int64_t number_from_date(int32_t days);
int64_t number_from_datetime(int64_t micros);

/// Rounds to `scale` fraction digits, half up.
int64_t round_datetime(int64_t micros, int scale);

/// `YYYY-MM-DD`, `YYYY-MM-DD hh:mm:ss[.f]`, `[-]HH:MM:SS[.f]`; at most 32 bytes; returns the end.
char* print_date(char* out, int32_t days);
char* print_datetime(char* out, int64_t micros, int scale);
char* print_time(char* out, int64_t micros, int scale);

}  // namespace thetis
