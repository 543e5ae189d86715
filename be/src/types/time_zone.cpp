// SPDX-License-Identifier: Apache-2.0
#include "types/time_zone.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

#include "base/text/numbers.h"
#include "base/thread/mutex.h"

namespace thetis {

namespace {

constexpr const char* kZoneDirectory = "/usr/share/zoneinfo";

int64_t read_big_endian(const char* data, int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; ++i) {
        value = (value << 8) | static_cast<uint8_t>(data[i]);
    }
    return bytes == 4 ? static_cast<int32_t>(value) : static_cast<int64_t>(value);
}

/// The counts in a TZif header (RFC 8536 section 3.1) and where its data block starts.
struct Header {
    size_t num_ut, num_std, num_leap, num_times, num_types, num_chars;
    size_t data_at;

    size_t data_bytes(size_t time_bytes) const {
        return num_times * time_bytes + num_times + num_types * 6 + num_chars +
               num_leap * (time_bytes + 4) + num_std + num_ut;
    }
};

bool read_header(const std::string& file, size_t at, Header& header) {
    if (at + 44 > file.size() || file.compare(at, 4, "TZif") != 0) {
        return false;
    }
    const auto count = [&](size_t index) {
        return static_cast<size_t>(read_big_endian(file.data() + at + 20 + index * 4, 4));
    };
    header = {count(0), count(1), count(2), count(3), count(4), count(5), at + 44};
    return header.num_times < 100000 && header.num_types < 1000 && header.num_types > 0 &&
           header.num_chars < 100000 && header.num_leap < 100000;
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
               return std::tolower(static_cast<unsigned char>(x)) ==
                      std::tolower(static_cast<unsigned char>(y));
           });
}

/// The path of a zone with the case the database uses, found directory by directory.
std::string find_zone_file(std::string_view name) {
    std::filesystem::path path = kZoneDirectory;
    while (!name.empty()) {
        const size_t slash = name.find('/');
        const std::string_view part = name.substr(0, slash);
        name = slash == std::string_view::npos ? std::string_view() : name.substr(slash + 1);
        if (part.empty() || part.front() == '.') {
            return {};
        }
        std::error_code error;
        bool found = false;
        for (const auto& entry : std::filesystem::directory_iterator(path, error)) {
            if (equals_ignoring_case(entry.path().filename().native(), part)) {
                path = entry.path();
                found = true;
                break;
            }
        }
        if (error || !found) {
            return {};
        }
    }
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) ? path.native() : std::string();
}

/// Zones that were asked for, by the name as given: finding a file takes the listing of
/// directories, and every query names a zone. Zones do not change while the process lives, names
/// that are none are not kept, and there are only so many ways to write one before it starts over.
/// Thread-safe.
class ZoneCache {
public:
    TimeZonePtr find(std::string_view name) const {
        ReaderLock lock(mutex_);
        const auto found = zones_.find(name);
        return found == zones_.end() ? nullptr : found->second;
    }

    void add(std::string_view name, TimeZonePtr zone) {
        WriterLock lock(mutex_);
        if (zones_.size() >= kMaxNames) {
            zones_.clear();
        }
        zones_.emplace(name, std::move(zone));
    }

private:
    static constexpr size_t kMaxNames = 4096;

    mutable SharedMutex mutex_;
    std::map<std::string, TimeZonePtr, std::less<>> zones_ GUARDED_BY(mutex_);
};

ZoneCache& zone_cache() {
    static ZoneCache cache;
    return cache;
}

std::string offset_name(int32_t seconds) {
    const int32_t minutes = std::abs(seconds) / 60;
    return fmt::format("{}{:02}:{:02}", seconds < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

}  // namespace

bool parse_zone_offset(std::string_view text, int32_t& seconds) {
    if (text.size() < 2 || (text[0] != '+' && text[0] != '-')) {
        return false;
    }
    const bool negative = text[0] == '-';
    text.remove_prefix(1);
    const size_t colon = text.find(':');
    const std::string_view hours =
        colon != std::string_view::npos
            ? text.substr(0, colon)
            : text.substr(0, text.size() > 2 ? text.size() - 2 : text.size());
    const std::string_view minutes =
        colon != std::string_view::npos ? text.substr(colon + 1) : text.substr(hours.size());
    if (hours.empty() || hours.size() > 2 ||
        (minutes.size() != 2 && !(minutes.empty() && colon == std::string_view::npos))) {
        return false;
    }
    const auto number = [](std::string_view digits) {
        int value = 0;
        for (char c : digits) {
            value = is_digit(c) && value >= 0 ? value * 10 + (c - '0') : -1;
        }
        return value;
    };
    const int h = number(hours);
    const int m = number(minutes);
    if (h < 0 || m < 0 || m > 59) {
        return false;
    }
    const int32_t total = (h * 60 + m) * 60 * (negative ? -1 : 1);
    if (total < -12 * 3600 || total > 14 * 3600) {
        return false;
    }
    seconds = total;
    return true;
}

TimeZone::TimeZone(std::string name, std::vector<int64_t> transitions, std::vector<int32_t> offsets)
    : name_(std::move(name)), transitions_(std::move(transitions)), offsets_(std::move(offsets)) {}

std::shared_ptr<const TimeZone> TimeZone::fixed(int32_t offset_seconds) {
    return std::shared_ptr<const TimeZone>(
        new TimeZone(offset_name(offset_seconds), {}, {offset_seconds})
    );
}

Result<std::shared_ptr<const TimeZone>> TimeZone::load(std::string_view name) {
    int32_t offset;
    if (parse_zone_offset(name, offset)) {
        return fixed(offset);
    }
    if (equals_ignoring_case(name, "UTC") || equals_ignoring_case(name, "Z") ||
        equals_ignoring_case(name, "GMT")) {
        return std::shared_ptr<const TimeZone>(new TimeZone("UTC", {}, {0}));
    }
    if (TimeZonePtr known = zone_cache().find(name)) {
        return known;
    }
    const std::string_view canonical = equals_ignoring_case(name, "CST") ? "Asia/Shanghai" : name;
    const std::string path = find_zone_file(canonical);
    if (path.empty()) {
        return Status::error(
            ErrorCode::kInvalidArgument, "Unknown or incorrect time zone: '{}'", name
        );
    }
    ASSIGN_OR_RETURN(auto zone, load_file(path, path.substr(std::strlen(kZoneDirectory) + 1)));
    zone_cache().add(name, zone);
    return zone;
}

Result<std::shared_ptr<const TimeZone>> TimeZone::load_file(
    const std::string& path, std::string name
) {
    std::ifstream stream(path, std::ios::binary);
    const std::string file(
        (std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>()
    );
    const Status malformed =
        Status::error(ErrorCode::kCorruption, "Time zone file {} is malformed", path);
    Header header;
    if (!read_header(file, 0, header)) {
        return malformed;
    }
    // The second block, of 64-bit times, follows the first.
    size_t time_bytes = 4;
    if (file[4] >= '2') {
        if (!read_header(file, header.data_at + header.data_bytes(4), header)) {
            return malformed;
        }
        time_bytes = 8;
    }
    if (header.data_at + header.data_bytes(time_bytes) > file.size()) {
        return malformed;
    }
    const char* times = file.data() + header.data_at;
    const char* indexes = times + header.num_times * time_bytes;
    const char* types = indexes + header.num_times;
    const auto offset_of = [&](size_t type) {
        return static_cast<int32_t>(read_big_endian(types + type * 6, 4));
    };
    std::vector<int64_t> transitions;
    std::vector<int32_t> offsets{offset_of(0)};
    for (size_t i = 0; i < header.num_times; ++i) {
        const auto type = static_cast<uint8_t>(indexes[i]);
        if (type >= header.num_types) {
            return malformed;
        }
        transitions.push_back(read_big_endian(times + i * time_bytes, static_cast<int>(time_bytes))
        );
        offsets.push_back(offset_of(type));
    }
    return std::shared_ptr<const TimeZone>(
        new TimeZone(std::move(name), std::move(transitions), std::move(offsets))
    );
}

int32_t TimeZone::offset_at_utc(int64_t unix_seconds) const {
    const auto next = std::upper_bound(transitions_.begin(), transitions_.end(), unix_seconds);
    return offsets_[static_cast<size_t>(next - transitions_.begin())];
}

int32_t TimeZone::offset_at_local(int64_t local_seconds) const {
    if (transitions_.empty()) {
        return offsets_[0];
    }
    // The earliest period whose local end lies after the wanted time.
    const auto begin =
        std::upper_bound(transitions_.begin(), transitions_.end(), local_seconds - 2 * 86400);
    auto i = static_cast<size_t>(begin - transitions_.begin());
    while (i < transitions_.size() &&
           local_seconds >= transitions_[i] + std::max(offsets_[i], offsets_[i + 1])) {
        ++i;
    }
    if (i < transitions_.size() && local_seconds >= transitions_[i] + offsets_[i] &&
        offsets_[i + 1] < offsets_[i]) {
        ++i;
    }
    return offsets_[i];
}

int64_t TimeZone::utc_to_local_micros(int64_t micros) const {
    const int64_t seconds = micros >= 0 ? micros / 1000000 : -((-micros + 999999) / 1000000);
    return micros + int64_t{offset_at_utc(seconds)} * 1000000;
}

int64_t TimeZone::local_to_utc_micros(int64_t micros) const {
    const int64_t seconds = micros >= 0 ? micros / 1000000 : -((-micros + 999999) / 1000000);
    return micros - int64_t{offset_at_local(seconds)} * 1000000;
}

}  // namespace thetis
