// SPDX-License-Identifier: Apache-2.0
#include "base/text/numbers.h"

#include <charconv>

#include <fmt/compile.h>
#include <fmt/format.h>

namespace thetis {

namespace {

constexpr char kDigitPairs[] =
    "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546"
    "4748495051525354555657585960"
    "6162636465666768697071727374757677787980818283848586878889909192939495969798"
    "99";

bool equals_ignoring_case(std::string_view text, std::string_view lower) {
    if (text.size() != lower.size()) {
        return false;
    }
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] + 32) : text[i];
        if (c != lower[i]) {
            return false;
        }
    }
    return true;
}

template <typename Float>
bool parse_floating(std::string_view text, Float& value) {
    text = trim_blanks(text);
    if (!text.empty() && text.front() == '+') {
        text.remove_prefix(1);
        if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
            return false;
        }
    }
    if (text.empty()) {
        return false;
    }
    Float parsed;
    const char* end = text.data() + text.size();
    auto [stop, error] = std::from_chars(text.data(), end, parsed);
    if (stop != end || error == std::errc::invalid_argument) {
        return false;
    }
    if (error == std::errc::result_out_of_range) {
        // from_chars leaves the value alone; tell overflow from underflow by the decimal exponent's
        // sign.
        const size_t exponent = text.find_first_of("eE");
        const bool tiny = exponent != std::string_view::npos
                              ? text.substr(exponent + 1).starts_with('-')
                              : text.find('.') < 3;
        const Float magnitude = tiny ? Float{0} : std::numeric_limits<Float>::infinity();
        parsed = text.front() == '-' ? -magnitude : magnitude;
    }
    value = parsed;
    return true;
}

template <typename Float>
char* print_floating(char* out, Float value) {
    if (value != value) {
        std::memcpy(out, "nan", 3);
        return out + 3;
    }
    if (value == 0) {  // Also -0.0, which SQL shows as a plain zero with its sign.
        if (std::signbit(value)) {
            *out++ = '-';
        }
        *out++ = '0';
        return out;
    }
    return fmt::format_to(out, FMT_COMPILE("{}"), value);
}

}  // namespace

std::string_view trim_blanks(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && is_blank(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

template <typename T>
bool parse_integer(std::string_view text, T& value) {
    using Unsigned = std::conditional_t<sizeof(T) == 16, unsigned __int128, uint64_t>;
    constexpr size_t kSafeDigits = sizeof(T) == 16 ? 38 : 18;
    constexpr Unsigned kMax = (Unsigned{1} << (sizeof(T) * 8 - 1)) - 1;
    text = trim_blanks(text);
    const char* next = text.data();
    const char* end = next + text.size();
    bool negative = false;
    if (next != end && (*next == '-' || *next == '+')) {
        negative = *next++ == '-';
    }
    const char* first_digit = next;
    Unsigned magnitude = 0;
    size_t significant = 0;
    for (; next != end && is_digit(*next); ++next) {
        const auto digit = static_cast<Unsigned>(*next - '0');
        if (significant >= kSafeDigits &&
            magnitude > (std::numeric_limits<Unsigned>::max() - digit) / 10) {
            return false;
        }
        magnitude = magnitude * 10 + digit;
        significant += magnitude != 0 ? 1 : 0;
    }
    const bool has_digits = next != first_digit;
    if (next != end && *next == '.') {
        const char* fraction = ++next;
        while (next != end && is_digit(*next)) {
            ++next;
        }
        if (!has_digits && next == fraction) {
            return false;
        }
    } else if (!has_digits) {
        return false;
    }
    if (next != end || magnitude > kMax + (negative ? 1 : 0)) {
        return false;
    }
    value = static_cast<T>(negative ? Unsigned{0} - magnitude : magnitude);
    return true;
}

template bool parse_integer(std::string_view, int8_t&);
template bool parse_integer(std::string_view, int16_t&);
template bool parse_integer(std::string_view, int32_t&);
template bool parse_integer(std::string_view, int64_t&);
template bool parse_integer(std::string_view, __int128&);

bool parse_double(std::string_view text, double& value) {
    return parse_floating(text, value);
}

bool parse_float(std::string_view text, float& value) {
    return parse_floating(text, value);
}

bool parse_boolean(std::string_view text, bool& value) {
    text = trim_blanks(text);
    if (equals_ignoring_case(text, "true")) {
        value = true;
        return true;
    }
    if (equals_ignoring_case(text, "false")) {
        value = false;
        return true;
    }
    double number;
    if (!parse_double(text, number) || number != number) {
        return false;
    }
    value = number != 0;
    return true;
}

char* print_unsigned(char* out, uint64_t value) {
    char digits[20];
    char* next = digits + 20;
    while (value >= 100) {
        next -= 2;
        std::memcpy(next, kDigitPairs + 2 * (value % 100), 2);
        value /= 100;
    }
    if (value >= 10) {
        next -= 2;
        std::memcpy(next, kDigitPairs + 2 * value, 2);
    } else {
        *--next = static_cast<char>('0' + value);
    }
    const auto size = static_cast<size_t>(digits + 20 - next);
    std::memcpy(out, next, size);
    return out + size;
}

char* print_integer(char* out, int64_t value) {
    if (value < 0) {
        *out++ = '-';
        return print_unsigned(out, uint64_t{0} - static_cast<uint64_t>(value));
    }
    return print_unsigned(out, static_cast<uint64_t>(value));
}

char* print_int128(char* out, __int128 value) {
    auto magnitude = static_cast<unsigned __int128>(value);
    if (value < 0) {
        *out++ = '-';
        magnitude = 0 - magnitude;
    }
    constexpr uint64_t kChunk = 10000000000000000000ULL;  // 10^19
    if (magnitude < kChunk) {
        return print_unsigned(out, static_cast<uint64_t>(magnitude));
    }
    out = magnitude / kChunk < kChunk
              ? print_unsigned(out, static_cast<uint64_t>(magnitude / kChunk))
              : print_int128(out, static_cast<__int128>(magnitude / kChunk));
    auto rest = static_cast<uint64_t>(magnitude % kChunk);
    for (int i = 18; i >= 0; --i) {
        out[i] = static_cast<char>('0' + rest % 10);
        rest /= 10;
    }
    return out + 19;
}

char* print_double(char* out, double value) {
    return print_floating(out, value);
}

char* print_float(char* out, float value) {
    return print_floating(out, value);
}

std::string int128_to_string(__int128 value) {
    char text[kMaxNumberText];
    return {text, print_int128(text, value)};
}

}  // namespace thetis
