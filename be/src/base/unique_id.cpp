// SPDX-License-Identifier: Apache-2.0
#include "base/unique_id.h"

#include <charconv>
#include <random>

#include <fmt/format.h>

namespace thetis {

UniqueId UniqueId::generate() {
    thread_local std::mt19937_64 engine = [] {
        std::random_device device;
        std::seed_seq seed{
            device(), device(), device(), device(), device(), device(), device(), device()
        };
        return std::mt19937_64(seed);
    }();
    return {.hi = static_cast<int64_t>(engine()), .lo = static_cast<int64_t>(engine())};
}

std::optional<UniqueId> UniqueId::parse(std::string_view text) {
    const size_t dash = text.find('-');
    if (dash == std::string_view::npos) {
        return std::nullopt;
    }
    uint64_t parts[2];
    const std::string_view halves[2] = {text.substr(0, dash), text.substr(dash + 1)};
    for (int i = 0; i < 2; ++i) {
        const char* end = halves[i].data() + halves[i].size();
        auto [stop, error] = std::from_chars(halves[i].data(), end, parts[i], 16);
        if (error != std::errc() || stop != end || halves[i].empty()) {
            return std::nullopt;
        }
    }
    return UniqueId{.hi = static_cast<int64_t>(parts[0]), .lo = static_cast<int64_t>(parts[1])};
}

std::string UniqueId::to_string() const {
    return fmt::format("{:016x}-{:016x}", static_cast<uint64_t>(hi), static_cast<uint64_t>(lo));
}

}  // namespace thetis
