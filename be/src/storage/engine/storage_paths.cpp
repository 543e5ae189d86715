// SPDX-License-Identifier: Apache-2.0
#include <charconv>

#include "storage/engine/storage_engine.h"

namespace thetis {

namespace {

constexpr int64_t kGigabyte = int64_t{1} << 30;

std::string_view trim(std::string_view text) {
    while (!text.empty() && text.front() == ' ') {
        text.remove_prefix(1);
    }
    while (!text.empty() && (text.back() == ' ' || text.back() == '/')) {
        text.remove_suffix(1);
    }
    return text;
}

std::string upper(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) {
        return static_cast<char>(std::toupper(c));
    });
    return result;
}

Status apply_property(std::string_view property, StoragePath& path) {
    const size_t colon = property.find(':');
    const std::string name = upper(trim(property.substr(0, colon)));
    const std::string value =
        colon == std::string_view::npos ? std::string() : upper(trim(property.substr(colon + 1)));
    if (name == "MEDIUM" && (value == "SSD" || value == "HDD")) {
        path.medium = value;
        return {};
    }
    if (name == "CAPACITY") {
        int64_t gigabytes = 0;
        const auto [end, error] =
            std::from_chars(value.data(), value.data() + value.size(), gigabytes);
        const std::string_view rest(end, static_cast<size_t>(value.data() + value.size() - end));
        if (error == std::errc() && gigabytes > 0 && gigabytes < INT64_MAX / kGigabyte &&
            (rest.empty() || rest == "G" || rest == "GB")) {
            path.capacity_bytes = gigabytes * kGigabyte;
            return {};
        }
    }
    return Status::error(
        ErrorCode::kInvalidArgument, "Unknown property in storage_root_path: {}", property
    );
}

}  // namespace

Result<std::vector<StoragePath>> parse_storage_paths(std::string_view text) {
    std::vector<StoragePath> paths;
    while (!text.empty()) {
        const size_t semicolon = text.find(';');
        std::string_view entry = text.substr(0, semicolon);
        text =
            semicolon == std::string_view::npos ? std::string_view() : text.substr(semicolon + 1);
        StoragePath path;
        for (bool is_first = true; !entry.empty(); is_first = false) {
            const size_t comma = entry.find(',');
            const std::string_view part = trim(entry.substr(0, comma));
            entry = comma == std::string_view::npos ? std::string_view() : entry.substr(comma + 1);
            if (!is_first) {
                RETURN_IF_ERROR(apply_property(part, path));
                continue;
            }
            path.path = part;
            const std::string ending =
                upper(path.path.substr(path.path.size() < 4 ? 0 : path.path.size() - 4));
            if (ending == ".SSD" || ending == ".HDD") {
                path.medium = ending.substr(1);
            }
        }
        if (path.path.empty()) {
            continue;
        }
        for (const StoragePath& other : paths) {
            if (other.path == path.path) {
                return Status::error(
                    ErrorCode::kInvalidArgument, "Path twice in storage_root_path: {}", path.path
                );
            }
        }
        paths.push_back(std::move(path));
    }
    if (paths.empty()) {
        return Status::error(ErrorCode::kInvalidArgument, "No path in storage_root_path");
    }
    return paths;
}

}  // namespace thetis
