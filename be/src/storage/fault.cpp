// SPDX-License-Identifier: Apache-2.0
#include "storage/fault.h"

#include <charconv>
#include <csignal>

namespace thetis {

namespace {

constexpr int kDefaultDelayMs = 100;
constexpr int kMaxDelayMs = 600'000;
constexpr auto kWaitPoll = std::chrono::milliseconds(20);
constexpr auto kMaxWait = std::chrono::seconds(120);

}  // namespace

Status strike(DebugPoints* points, std::string_view name) {
    if (points == nullptr) {
        return {};
    }
    const auto parameters = points->find(name);
    if (!parameters.has_value()) {
        return {};
    }
    const auto action = parameters->find("action");
    const std::string_view chosen =
        action == parameters->end() ? std::string_view("fail") : std::string_view(action->second);
    if (chosen == "kill") {
        std::raise(SIGKILL);
    }
    if (chosen == "delay") {
        int milliseconds = kDefaultDelayMs;
        if (const auto given = parameters->find("ms"); given != parameters->end()) {
            std::from_chars(
                given->second.data(), given->second.data() + given->second.size(), milliseconds
            );
        }
        std::this_thread::sleep_for(
            std::chrono::milliseconds(std::clamp(milliseconds, 0, kMaxDelayMs))
        );
        return {};
    }
    if (chosen == "wait") {
        const auto end = std::chrono::steady_clock::now() + kMaxWait;
        while (points->hit(name) && std::chrono::steady_clock::now() < end) {
            std::this_thread::sleep_for(kWaitPoll);
        }
        return {};
    }
    if (chosen == "full") {
        return Status::error(
            ErrorCode::kDiskFull, "No space left on device (debug point {})", name
        );
    }
    return Status::error(ErrorCode::kIoError, "Debug point {} is on", name);
}

}  // namespace thetis
