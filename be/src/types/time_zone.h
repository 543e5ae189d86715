// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace thetis {

/// A named zone of the system's database, or a fixed offset. Immutable, shared.
class TimeZone {
public:
    /// `Asia/Shanghai` (any case), `CST` (= Asia/Shanghai), `UTC`, `Z`, `+08:00`, `+8:00`, `-0330`.
    /// Names are read from /usr/share/zoneinfo, once each.
    static Result<std::shared_ptr<const TimeZone>> load(std::string_view name);
    static std::shared_ptr<const TimeZone> fixed(int32_t offset_seconds);

    static std::shared_ptr<const TimeZone> utc() { return fixed(0); }

    const std::string& name() const { return name_; }

    /// Seconds east of UTC at a moment given in seconds since the epoch.
    int32_t offset_at_utc(int64_t unix_seconds) const;
    /// Offset for a local wall-clock time; the earlier of two, and the offset before a gap.
    int32_t offset_at_local(int64_t local_seconds) const;

    int64_t utc_to_local_micros(int64_t micros) const;
    int64_t local_to_utc_micros(int64_t micros) const;

private:
    TimeZone(std::string name, std::vector<int64_t> transitions, std::vector<int32_t> offsets);
    static Result<std::shared_ptr<const TimeZone>> load_file(
        const std::string& path, std::string name
    );

    std::string name_;
    std::vector<int64_t> transitions_;  // UTC seconds, ascending.
    std::vector<int32_t>
        offsets_;  // One more than transitions: before the first, then from each on.
};

using TimeZonePtr = std::shared_ptr<const TimeZone>;

/// True and the seconds when `text` is `±H[H][:]MM` within -12:00..+14:00.
bool parse_zone_offset(std::string_view text, int32_t& seconds);

}  // namespace thetis
