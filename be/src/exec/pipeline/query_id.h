// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

namespace thetis {

/// Names one execution of a statement (or one load) on every back end it touches.
struct QueryId {
    int64_t high = 0;
    int64_t low = 0;

    bool operator==(const QueryId&) const = default;

    /// As logs, profiles and the processlist show it.
    std::string to_string() const { return fmt::format("{:x}-{:x}", static_cast<uint64_t>(high), static_cast<uint64_t>(low)); }
};

}  // namespace thetis

template <>
struct std::hash<thetis::QueryId> {
    size_t operator()(const thetis::QueryId& id) const noexcept {
        return static_cast<size_t>(static_cast<uint64_t>(id.high) * 0x9E3779B97F4A7C15ULL ^ static_cast<uint64_t>(id.low));
    }
};
