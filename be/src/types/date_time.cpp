// SPDX-License-Identifier: Apache-2.0
#include "types/date_time.h"

#include "base/text/numbers.h"
#include "types/time_zone.h"

namespace thetis {

namespace {

constexpr int64_t kPowers[7] = {1, 10, 100, 1000, 10000, 100000, 1000000};

int32_t full_year(int32_t two_digits) {
    return two_digits < 70 ? 2000 + two_digits : 1900 + two_digits;
}

char* print_two(char* out, int32_t value) {
    *out++ = static_cast<char>('0' + value / 10 % 10);
    *out++ = static_cast<char>('0' + value % 10);
    return out;
}

char* print_fraction(char* out, int32_t micros, int scale) {
    if (scale <= 0) {
        return out;
    }
    *out++ = '.';
    for (int i = 5; i >= 6 - scale; --i) {
        *out++ = static_cast<char>('0' + micros / kPowers[i] % 10);
    }
    return out;
}

/// Digits after the point, rounded half up to `scale`, as microseconds; may be a whole second.
int64_t parse_fraction(const char*& next, const char* end, int scale) {
    int64_t value = 0;
    int digits = 0;
    bool round_up = false;
    for (; next != end && is_digit(*next); ++next, ++digits) {
        if (digits < scale) {
            value = value * 10 + (*next - '0');
        } else if (digits == scale) {
            round_up = *next >= '5';
        }
    }
    for (; digits < scale; ++digits) {
        value *= 10;
    }
    return (value + (round_up ? 1 : 0)) * kPowers[6 - scale];
}

/// Reads `text` as a run of parts; the shared work of parse_datetime. On success `next` is after
/// what was understood.
struct Parts {
    int32_t values[6] = {0, 0, 0, 0, 0, 0};  // Year .. second.
    int64_t micros = 0;
    int num_parts = 0;
};

bool parse_compact(const char* digits, int num_digits, Parts& parts) {
    // YYMMDD, YYYYMMDD, YYMMDDhhmmss, YYYYMMDDhhmmss and YYYYMMDDhh[mm].
    const bool long_year = num_digits == 8 || num_digits == 14 || num_digits == 10;
    if (!long_year && num_digits != 6 && num_digits != 12) {
        return false;
    }
    int at = 0;
    const auto take = [&](int count) {
        int32_t value = 0;
        for (int i = 0; i < count; ++i) {
            value = value * 10 + (digits[at++] - '0');
        }
        return value;
    };
    parts.values[0] = long_year ? take(4) : full_year(take(2));
    parts.num_parts = 1;
    while (at < num_digits && parts.num_parts < 6) {
        parts.values[parts.num_parts++] = take(2);
    }
    return parts.num_parts >= 3;
}

bool is_separator(char c) {
    const auto byte = static_cast<uint8_t>(c);
    return byte > ' ' && byte < 0x7F && !is_digit(c) && !((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

bool parse_separated(const char*& next, const char* end, int scale, Parts& parts) {
    while (parts.num_parts < 6 && next != end && is_digit(*next)) {
        const char* first = next;
        int32_t value = 0;
        const int max_digits = parts.num_parts == 0 ? 4 : 2;
        while (next != end && is_digit(*next) && next - first < max_digits) {
            value = value * 10 + (*next++ - '0');
        }
        const auto width = next - first;
        if (parts.num_parts == 0) {
            if (width == 2) {
                value = full_year(value);
            } else if (width != 4) {
                return false;
            }
        }
        parts.values[parts.num_parts++] = value;
        if (next == end || parts.num_parts == 6) {
            break;
        }
        if (is_digit(*next)) {
            return false;
        }
        // After the day: a T or blanks; else one separator. A zone suffix ends the parts.
        if (parts.num_parts == 3) {
            if (*next == 'T' || *next == 't') {
                ++next;
            } else if (is_blank(*next)) {
                while (next != end && is_blank(*next)) {
                    ++next;
                }
            } else if (*next == '+' || *next == 'Z' || !is_separator(*next)) {
                break;
            } else {
                ++next;
            }
        } else if (parts.num_parts < 3 ? is_separator(*next)
                                       : *next == ':' || (is_separator(*next) && *next != '+' &&
                                                          *next != '-' && *next != '.')) {
            ++next;
        } else {
            break;
        }
    }
    if (parts.num_parts == 6 && next != end && *next == '.') {
        ++next;
        parts.micros = parse_fraction(next, end, scale);
    }
    return parts.num_parts >= 3;
}

bool parse_parts(std::string_view text, int scale, Parts& parts, std::string_view& rest) {
    const char* next = text.data();
    const char* end = next + text.size();
    const char* first = next;
    while (next != end && is_digit(*next)) {
        ++next;
    }
    const auto num_digits = static_cast<int>(next - first);
    const bool compact = num_digits == 8 || num_digits == 14 || num_digits == 12 ||
                         num_digits == 6 || num_digits == 10;
    if (compact && parse_compact(first, num_digits, parts)) {
        if (parts.num_parts == 6 && next != end && *next == '.') {
            ++next;
            parts.micros = parse_fraction(next, end, scale);
        } else if (parts.num_parts == 3 && next != end && (*next == 'T' || *next == ' ')) {
            // YYYYMMDDThhmmss or YYYYMMDD hh:mm:ss
            ++next;
            const char* time = next;
            while (next != end && is_digit(*next)) {
                ++next;
            }
            if (next - time == 6) {
                for (int i = 0; i < 3; ++i) {
                    parts.values[3 + i] = (time[2 * i] - '0') * 10 + (time[2 * i + 1] - '0');
                }
                parts.num_parts = 6;
                if (next != end && *next == '.') {
                    ++next;
                    parts.micros = parse_fraction(next, end, scale);
                }
            } else {
                next = time;
                if (!parse_separated(next, end, scale, parts)) {
                    return false;
                }
            }
        }
    } else {
        next = first;
        if (!parse_separated(next, end, scale, parts)) {
            return false;
        }
    }
    rest = trim_blanks({next, static_cast<size_t>(end - next)});
    return true;
}

/// Applies a zone suffix: `micros` is local to it and becomes local to `zone`.
bool apply_zone_suffix(std::string_view suffix, const TimeZone* zone, int64_t& micros) {
    int32_t offset;
    if (parse_zone_offset(suffix, offset)) {
        micros -= int64_t{offset} * kMicrosPerSecond;
    } else {
        auto loaded = TimeZone::load(suffix);
        if (!loaded.ok()) {
            return false;
        }
        micros = loaded.value()->local_to_utc_micros(micros);
    }
    if (zone != nullptr) {
        micros = zone->utc_to_local_micros(micros);
    }
    return true;
}

}  // namespace

int32_t days_in_month(int32_t year, int32_t month) {
    constexpr int8_t kDays[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 && is_leap_year(year) ? 29 : kDays[month - 1];
}

CivilTime civil_from_date(int32_t days) {
    CivilTime civil;
    civil_from_days(days, civil.year, civil.month, civil.day);
    return civil;
}

CivilTime civil_from_datetime(int64_t micros) {
    const int32_t days = days_of_datetime(micros);
    CivilTime civil = civil_from_date(days);
    const int64_t time = micros - int64_t{days} * kMicrosPerDay;
    const auto seconds = static_cast<int32_t>(time / kMicrosPerSecond);
    civil.hour = seconds / 3600;
    civil.minute = seconds / 60 % 60;
    civil.second = seconds % 60;
    civil.micros = static_cast<int32_t>(time % kMicrosPerSecond);
    return civil;
}

int64_t datetime_from_civil(const CivilTime& civil) {
    const int64_t seconds = int64_t{civil.hour} * 3600 + int64_t{civil.minute} * 60 + civil.second;
    return int64_t{days_from_civil(civil.year, civil.month, civil.day)} * kMicrosPerDay +
           seconds * kMicrosPerSecond + civil.micros;
}

bool is_valid_civil(const CivilTime& civil) {
    return civil.year >= 0 && civil.year <= 9999 && civil.month >= 1 && civil.month <= 12 &&
           civil.day >= 1 && civil.day <= days_in_month(civil.year, civil.month) &&
           civil.hour >= 0 && civil.hour < 24 && civil.minute >= 0 && civil.minute < 60 &&
           civil.second >= 0 && civil.second < 60;
}

bool parse_datetime(std::string_view text, int scale, const TimeZone* zone, int64_t& micros) {
    text = trim_blanks(text);
    Parts parts;
    std::string_view rest;
    if (!parse_parts(text, scale, parts, rest)) {
        return false;
    }
    const CivilTime civil{
        parts.values[0],
        parts.values[1],
        parts.values[2],
        parts.values[3],
        parts.values[4],
        parts.values[5],
        0
    };
    if (!is_valid_civil(civil)) {
        return false;
    }
    int64_t result = datetime_from_civil(civil) +
                     parts.micros;  // A fraction that rounded to a second carries here.
    if (!rest.empty() && !apply_zone_suffix(rest, zone, result)) {
        return false;
    }
    if (result < kMinDatetime || result > kMaxDatetime) {
        return false;
    }
    micros = result;
    return true;
}

bool parse_date(std::string_view text, const TimeZone* zone, int32_t& days) {
    // The plain form first: it is what files hold.
    if (text.size() == 10 && text[4] == '-' && text[7] == '-') {
        bool all_digits = true;
        for (int i : {0, 1, 2, 3, 5, 6, 8, 9}) {
            all_digits &= is_digit(text[static_cast<size_t>(i)]);
        }
        if (all_digits) {
            const auto two = [&](size_t at) {
                return (text[at] - '0') * 10 + (text[at + 1] - '0');
            };
            const CivilTime civil{.year = two(0) * 100 + two(2), .month = two(5), .day = two(8)};
            if (!is_valid_civil(civil)) {
                return false;
            }
            days = days_from_civil(civil.year, civil.month, civil.day);
            return true;
        }
    }
    int64_t micros;
    if (!parse_datetime(text, 6, zone, micros)) {
        return false;
    }
    days = days_of_datetime(micros);
    return true;
}

bool parse_time(std::string_view text, int scale, int64_t& micros) {
    text = trim_blanks(text);
    const char* next = text.data();
    const char* end = next + text.size();
    bool negative = false;
    if (next != end && (*next == '-' || *next == '+')) {
        negative = *next++ == '-';
    }
    int64_t parts[3] = {0, 0, 0};
    int num_parts = 0;
    while (num_parts < 3 && next != end && is_digit(*next)) {
        const char* first = next;
        while (next != end && is_digit(*next) && next - first < 9) {
            parts[num_parts] = parts[num_parts] * 10 + (*next++ - '0');
        }
        ++num_parts;
        if (next == end || *next != ':' || num_parts == 3) {
            break;
        }
        ++next;
    }
    if (num_parts == 0) {
        return false;
    }
    if (num_parts == 1) {  // HHMMSS as one number.
        parts[2] = parts[0] % 100;
        parts[1] = parts[0] / 100 % 100;
        parts[0] = parts[0] / 10000;
    }
    int64_t fraction = 0;
    if (next != end && *next == '.') {
        ++next;
        fraction = parse_fraction(next, end, scale);
    }
    if (next != end) {
        int64_t moment;
        if (negative || !parse_datetime(text, scale, nullptr, moment)) {
            return false;
        }
        micros = time_of_datetime(moment);
        return true;
    }
    if (parts[0] > 838 || parts[1] > 59 || parts[2] > 59) {
        return false;
    }
    micros = (parts[0] * 3600 + parts[1] * 60 + parts[2]) * kMicrosPerSecond + fraction;
    micros = negative ? -micros : micros;
    return true;
}

bool datetime_from_number(int64_t number, int64_t& micros) {
    if (number < 0) {
        return false;
    }
    int64_t date = number;
    int64_t time = 0;
    if (number > 99991231) {
        date = number / 1000000;
        time = number % 1000000;
    }
    if (date < 101) {
        return false;
    }
    CivilTime civil;
    civil.year = static_cast<int32_t>(std::min<int64_t>(date / 10000, 10000));
    if (date < 1000000) {  // YYMMDD
        civil.year = full_year(civil.year);
    }
    civil.month = static_cast<int32_t>(date / 100 % 100);
    civil.day = static_cast<int32_t>(date % 100);
    civil.hour = static_cast<int32_t>(time / 10000);
    civil.minute = static_cast<int32_t>(time / 100 % 100);
    civil.second = static_cast<int32_t>(time % 100);
    if (!is_valid_civil(civil)) {
        return false;
    }
    micros = datetime_from_civil(civil);
    return true;
}

int64_t number_from_date(int32_t days) {
    const CivilTime civil = civil_from_date(days);
    return civil.year * 10000 + civil.month * 100 + civil.day;
}

int64_t number_from_datetime(int64_t micros) {
    const CivilTime civil = civil_from_datetime(micros);
    return (int64_t{civil.year} * 10000 + civil.month * 100 + civil.day) * 1000000 +
           civil.hour * 10000 + civil.minute * 100 + civil.second;
}

int64_t round_datetime(int64_t micros, int scale) {
    if (scale >= 6) {
        return micros;
    }
    const int64_t unit = kPowers[6 - scale];
    const int64_t shifted = micros + unit / 2;
    const int64_t rest = shifted % unit;
    return shifted - (rest < 0 ? rest + unit : rest);
}

char* print_date(char* out, int32_t days) {
    int32_t year;
    int32_t month;
    int32_t day;
    civil_from_days(days, year, month, day);
    out = print_two(out, year / 100);
    out = print_two(out, year % 100);
    *out++ = '-';
    out = print_two(out, month);
    *out++ = '-';
    return print_two(out, day);
}

char* print_datetime(char* out, int64_t micros, int scale) {
    const int32_t days = days_of_datetime(micros);
    out = print_date(out, days);
    *out++ = ' ';
    return print_time(out, micros - int64_t{days} * kMicrosPerDay, scale);
}

char* print_time(char* out, int64_t micros, int scale) {
    if (micros < 0) {
        *out++ = '-';
        micros = -std::max(micros, -INT64_MAX);
    }
    const int64_t seconds = micros / kMicrosPerSecond;
    const int64_t hours = seconds / 3600;
    if (hours >= 100) {
        out = print_integer(out, hours);
    } else {
        out = print_two(out, static_cast<int32_t>(hours));
    }
    *out++ = ':';
    out = print_two(out, static_cast<int32_t>(seconds / 60 % 60));
    *out++ = ':';
    out = print_two(out, static_cast<int32_t>(seconds % 60));
    return print_fraction(out, static_cast<int32_t>(micros % kMicrosPerSecond), scale);
}

}  // namespace thetis
