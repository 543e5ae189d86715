// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace thetis {

/// 128-bit id of a query, load or rowset; printed as `hi-lo` in 16 hexadecimal digits each.
struct UniqueId {
    int64_t hi = 0;
    int64_t lo = 0;

    /// Random (version-4-like), from the system's entropy.
    static UniqueId generate();
    static std::optional<UniqueId> parse(std::string_view text);

    std::string to_string() const;

    bool is_zero() const { return hi == 0 && lo == 0; }

    auto operator<=>(const UniqueId&) const = default;
};

}  // namespace thetis

template <>
struct std::hash<thetis::UniqueId> {
    size_t operator()(const thetis::UniqueId& id) const {
        return static_cast<size_t>(id.lo) ^ (static_cast<size_t>(id.hi) * 0x9E3779B97F4A7C15ULL);
    }
};
