// SPDX-License-Identifier: Apache-2.0
#include "format/json/json_path.h"

#include <charconv>

#include <simdjson.h>

namespace thetis {

namespace {

Status malformed(std::string_view text, size_t at) {
    return Status::error(
        ErrorCode::kInvalidArgument, "JSON path '{}' is malformed at offset {}", text, at
    );
}

}  // namespace

Result<JsonPath> JsonPath::parse(std::string_view text) {
    JsonPath path;
    size_t at = !text.empty() && text[0] == '$' ? 1 : 0;
    bool expects_dot = at == 1;
    while (at < text.size()) {
        if (text[at] == '[') {
            size_t close = text.find(']', at);
            if (close == std::string_view::npos) {
                return malformed(text, at);
            }
            std::string_view inside = text.substr(at + 1, close - at - 1);
            if (inside.size() >= 2 && (inside.front() == '"' || inside.front() == '\'') &&
                inside.back() == inside.front()) {
                path.steps.push_back({std::string(inside.substr(1, inside.size() - 2)), -1});
            } else {
                int64_t index = -1;
                auto [end, error] =
                    std::from_chars(inside.data(), inside.data() + inside.size(), index);
                if (error != std::errc() || end != inside.data() + inside.size() || index < 0) {
                    return malformed(text, at);
                }
                path.steps.push_back({"", index});
            }
            at = close + 1;
            expects_dot = true;
            continue;
        }
        if (text[at] == '.') {
            ++at;
        } else if (expects_dot) {
            return malformed(text, at);
        }
        size_t end = text.find_first_of(".[", at);
        end = end == std::string_view::npos ? text.size() : end;
        std::string_view key = text.substr(at, end - at);
        if (key.size() >= 2 && key.front() == '"' && key.back() == '"') {
            key = key.substr(1, key.size() - 2);
        }
        if (key.empty()) {
            return malformed(text, at);
        }
        path.steps.push_back({std::string(key), -1});
        at = end;
        expects_dot = true;
    }
    return path;
}

Result<std::vector<JsonPath>> parse_json_paths(const std::string& text) {
    std::vector<JsonPath> paths;
    simdjson::dom::parser parser;
    simdjson::dom::array array;
    if (parser.parse(text).get_array().get(array) != simdjson::SUCCESS) {
        return Status::error(
            ErrorCode::kInvalidArgument, "jsonpaths must be a JSON array of strings: {}", text
        );
    }
    for (simdjson::dom::element element : array) {
        std::string_view path;
        if (element.get_string().get(path) != simdjson::SUCCESS) {
            return Status::error(
                ErrorCode::kInvalidArgument, "jsonpaths must be a JSON array of strings: {}", text
            );
        }
        ASSIGN_OR_RETURN(auto parsed, JsonPath::parse(path));
        paths.push_back(std::move(parsed));
    }
    return paths;
}

}  // namespace thetis
