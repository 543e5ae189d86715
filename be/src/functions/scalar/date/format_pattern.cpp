// SPDX-License-Identifier: Apache-2.0
#include "functions/scalar/date/format_pattern.h"

#include <fmt/format.h>

#include "base/text/numbers.h"
#include "functions/scalar/date/calendar_weeks.h"
#include "types/date_time.h"

namespace thetis {

namespace {

constexpr std::string_view kDayNames[] = {
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"
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

/// 0 = Sunday.
int32_t weekday_from_sunday(int32_t days) {
    return ((days + 4) % 7 + 7) % 7;
}

std::string_view ordinal_suffix(int32_t day) {
    if (day >= 10 && day <= 19) {
        return "th";
    }
    switch (day % 10) {
        case 1:
            return "st";
        case 2:
            return "nd";
        case 3:
            return "rd";
        default:
            return "th";
    }
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
               return std::tolower(static_cast<unsigned char>(x)) ==
                      std::tolower(static_cast<unsigned char>(y));
           });
}

/// What a pattern has given so far.
class PatternReader {
public:
    explicit PatternReader(std::string_view text) : text_(text) {}

    bool read(std::string_view pattern) {
        for (size_t i = 0; i < pattern.size(); ++i) {
            const char c = pattern[i];
            if (is_blank(c)) {
                skip_blanks();
            } else if (c == '%' && i + 1 < pattern.size()) {
                if (!read_specifier(pattern[++i])) {
                    return false;
                }
            } else if (at_ < text_.size() && text_[at_] == c) {
                ++at_;
            } else {
                return false;
            }
        }
        skip_blanks();
        return at_ == text_.size();
    }

    std::optional<int64_t> result() {
        if (is_pm_.has_value()) {
            if (civil_.hour < 1 || civil_.hour > 12) {
                return std::nullopt;
            }
            civil_.hour = civil_.hour % 12 + (*is_pm_ ? 12 : 0);
        }
        if (year_day_ > 0) {
            const int32_t days = days_from_civil(civil_.year, 1, 1) + year_day_ - 1;
            civil_from_days(days, civil_.year, civil_.month, civil_.day);
        } else if (week_ >= 0 && weekday_ >= 0) {
            place_by_week();
        }
        if (!is_valid_civil(civil_)) {
            return std::nullopt;
        }
        return datetime_from_civil(civil_);
    }

private:
    void skip_blanks() {
        while (at_ < text_.size() && is_blank(text_[at_])) {
            ++at_;
        }
    }

    /// Up to `max_digits` digits, at least one.
    bool number(int max_digits, int32_t& value) {
        skip_blanks();
        const size_t begin = at_;
        int32_t result = 0;
        while (at_ < text_.size() && is_digit(text_[at_]) &&
               at_ - begin < static_cast<size_t>(max_digits)) {
            result = result * 10 + (text_[at_++] - '0');
        }
        value = result;
        return at_ != begin;
    }

    template <size_t kCount>
    bool name(const std::string_view (&names)[kCount], bool is_short, int32_t& index) {
        for (size_t i = 0; i < kCount; ++i) {
            const std::string_view wanted = is_short ? names[i].substr(0, 3) : names[i];
            if (equals_ignoring_case(text_.substr(at_, wanted.size()), wanted)) {
                at_ += wanted.size();
                index = static_cast<int32_t>(i);
                return true;
            }
        }
        return false;
    }

    bool read_specifier(char specifier) {
        switch (specifier) {
            case 'Y':
            case 'X':
            case 'x':
                week_is_monday_ = specifier == 'x';
                return number(4, civil_.year);
            case 'y':
                if (!number(2, civil_.year)) {
                    return false;
                }
                civil_.year += civil_.year < 70 ? 2000 : 1900;
                return true;
            case 'm':
            case 'c':
                return number(2, civil_.month);
            case 'd':
            case 'e':
                return number(2, civil_.day);
            case 'D':
                return number(2, civil_.day) && skip_letters(2);
            case 'j':
                return number(3, year_day_) && year_day_ >= 1 && year_day_ <= 366;
            case 'H':
            case 'k':
                return number(2, civil_.hour);
            case 'h':
            case 'I':
            case 'l':
                is_pm_ = is_pm_.value_or(false);
                return number(2, civil_.hour);
            case 'i':
                return number(2, civil_.minute);
            case 's':
            case 'S':
                return number(2, civil_.second);
            case 'f':
                return fraction();
            case 'p':
                return meridiem();
            case 'T':
                return read_sequence("%H:%i:%S");
            case 'r':
                return read_sequence("%I:%i:%S %p");
            case 'M':
            case 'b': {
                int32_t index;
                const bool found = name(kMonthNames, specifier == 'b', index);
                civil_.month = found ? index + 1 : 0;
                return found;
            }
            case 'W':
            case 'a':
                return name(kDayNames, specifier == 'a', weekday_);
            case 'w':
                return number(1, weekday_) && weekday_ < 7;
            case 'U':
            case 'V':
                week_is_monday_ = false;
                return number(2, week_) && week_ <= 53;
            case 'u':
            case 'v':
                week_is_monday_ = true;
                return number(2, week_) && week_ <= 53;
            case '%':
                return at_ < text_.size() && text_[at_++] == '%';
            default:
                return false;
        }
    }

    bool read_sequence(std::string_view pattern) {
        for (size_t i = 0; i < pattern.size(); ++i) {
            if (pattern[i] == '%') {
                if (!read_specifier(pattern[++i])) {
                    return false;
                }
            } else if (is_blank(pattern[i])) {
                skip_blanks();
            } else if (at_ >= text_.size() || text_[at_++] != pattern[i]) {
                return false;
            }
        }
        return true;
    }

    bool skip_letters(size_t count) {
        if (at_ + count > text_.size()) {
            return false;
        }
        at_ += count;
        return true;
    }

    bool fraction() {
        int32_t value = 0;
        int digits = 0;
        while (at_ < text_.size() && is_digit(text_[at_])) {
            if (digits < 6) {
                value = value * 10 + (text_[at_] - '0');
                ++digits;
            }
            ++at_;
        }
        if (digits == 0) {
            return false;
        }
        for (; digits < 6; ++digits) {
            value *= 10;
        }
        civil_.micros = value;
        return true;
    }

    bool meridiem() {
        const std::string_view part = text_.substr(at_, 2);
        if (!equals_ignoring_case(part, "am") && !equals_ignoring_case(part, "pm")) {
            return false;
        }
        is_pm_ = equals_ignoring_case(part, "pm");
        at_ += 2;
        return true;
    }

    void place_by_week() {
        // The first day of week 1 of the year, then weeks and days on.
        const int32_t first = days_from_civil(civil_.year, 1, 1);
        const int32_t weekday_of_first = weekday_from_sunday(first);
        int32_t start;
        int32_t offset;
        if (week_is_monday_) {
            const int32_t from_monday = (weekday_of_first + 6) % 7;
            start = from_monday < 4 ? first - from_monday : first + 7 - from_monday;
            offset = (weekday_ + 6) % 7;
        } else {
            start = weekday_of_first == 0 ? first : first + 7 - weekday_of_first;
            offset = weekday_;
        }
        civil_from_days(start + (week_ - 1) * 7 + offset, civil_.year, civil_.month, civil_.day);
    }

    std::string_view text_;
    size_t at_ = 0;
    CivilTime civil_{.year = 0, .month = 0, .day = 0};
    int32_t year_day_ = 0;
    int32_t week_ = -1;
    int32_t weekday_ = -1;
    bool week_is_monday_ = false;
    std::optional<bool> is_pm_;
};

void append_time(std::string& out, const CivilTime& civil) {
    out += fmt::format("{:02}:{:02}:{:02}", civil.hour, civil.minute, civil.second);
}

int32_t twelve_hour(int32_t hour) {
    return hour % 12 == 0 ? 12 : hour % 12;
}

void append_specifier(std::string& out, char specifier, const CivilTime& civil, int32_t days) {
    const int32_t weekday = weekday_from_sunday(days);
    auto to = std::back_inserter(out);
    switch (specifier) {
        case 'Y':
            fmt::format_to(to, "{:04}", civil.year);
            break;
        case 'y':
            fmt::format_to(to, "{:02}", civil.year % 100);
            break;
        case 'm':
            fmt::format_to(to, "{:02}", civil.month);
            break;
        case 'c':
            fmt::format_to(to, "{}", civil.month);
            break;
        case 'M':
            out += kMonthNames[civil.month - 1];
            break;
        case 'b':
            out += kMonthNames[civil.month - 1].substr(0, 3);
            break;
        case 'd':
            fmt::format_to(to, "{:02}", civil.day);
            break;
        case 'e':
            fmt::format_to(to, "{}", civil.day);
            break;
        case 'D':
            fmt::format_to(to, "{}{}", civil.day, ordinal_suffix(civil.day));
            break;
        case 'j':
            fmt::format_to(to, "{:03}", days - days_from_civil(civil.year, 1, 1) + 1);
            break;
        case 'H':
            fmt::format_to(to, "{:02}", civil.hour);
            break;
        case 'k':
            fmt::format_to(to, "{}", civil.hour);
            break;
        case 'h':
        case 'I':
            fmt::format_to(to, "{:02}", twelve_hour(civil.hour));
            break;
        case 'l':
            fmt::format_to(to, "{}", twelve_hour(civil.hour));
            break;
        case 'i':
            fmt::format_to(to, "{:02}", civil.minute);
            break;
        case 's':
        case 'S':
            fmt::format_to(to, "{:02}", civil.second);
            break;
        case 'f':
            fmt::format_to(to, "{:06}", civil.micros);
            break;
        case 'p':
            out += civil.hour >= 12 ? "PM" : "AM";
            break;
        case 'r':
            fmt::format_to(
                to,
                "{:02}:{:02}:{:02} {}",
                twelve_hour(civil.hour),
                civil.minute,
                civil.second,
                civil.hour >= 12 ? "PM" : "AM"
            );
            break;
        case 'T':
            append_time(out, civil);
            break;
        case 'W':
            out += kDayNames[weekday];
            break;
        case 'a':
            out += kDayNames[weekday].substr(0, 3);
            break;
        case 'w':
            fmt::format_to(to, "{}", weekday);
            break;
        case 'U':
            fmt::format_to(to, "{:02}", week_of_year(days, 0).week);
            break;
        case 'u':
            fmt::format_to(to, "{:02}", week_of_year(days, 1).week);
            break;
        case 'V':
            fmt::format_to(to, "{:02}", week_of_year(days, 2).week);
            break;
        case 'v':
            fmt::format_to(to, "{:02}", week_of_year(days, 3).week);
            break;
        case 'X':
            fmt::format_to(to, "{:04}", week_of_year(days, 2).year);
            break;
        case 'x':
            fmt::format_to(to, "{:04}", week_of_year(days, 3).year);
            break;
        default:
            out.push_back(specifier);
    }
}

}  // namespace

void format_datetime(std::string& out, int64_t micros, std::string_view pattern) {
    const CivilTime civil = civil_from_datetime(micros);
    const int32_t days = days_of_datetime(micros);
    for (size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] != '%' || i + 1 == pattern.size()) {
            out.push_back(pattern[i]);
        } else {
            append_specifier(out, pattern[++i], civil, days);
        }
    }
}

std::string_view canonical_date_pattern(std::string_view pattern) {
    if (pattern == "yyyyMMdd") {
        return "%Y%m%d";
    }
    if (pattern == "yyyy-MM-dd") {
        return "%Y-%m-%d";
    }
    if (pattern == "yyyy-MM-dd HH:mm:ss") {
        return "%Y-%m-%d %H:%i:%s";
    }
    return pattern;
}

std::optional<int64_t> parse_by_pattern(std::string_view text, std::string_view pattern) {
    PatternReader reader(trim_blanks(text));
    if (!reader.read(pattern)) {
        return std::nullopt;
    }
    return reader.result();
}

}  // namespace thetis
