// SPDX-License-Identifier: Apache-2.0
#include "base/config.h"

#include <charconv>
#include <cstdlib>
#include <fstream>

#include "base/text/numbers.h"

namespace thetis {

namespace {

/// Replaces ${NAME} by the environment's value (empty when unset).
std::string expand_environment(std::string_view text) {
    std::string expanded;
    for (size_t i = 0; i < text.size();) {
        if (text.substr(i, 2) == "${") {
            const size_t end = text.find('}', i);
            if (end != std::string_view::npos) {
                const std::string name(text.substr(i + 2, end - i - 2));
                const char* value = std::getenv(name.c_str());
                expanded += value == nullptr ? "" : value;
                i = end + 1;
                continue;
            }
        }
        expanded += text[i++];
    }
    return expanded;
}

/// Levenshtein distance, for naming what was probably meant.
size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<size_t> row(b.size() + 1);
    for (size_t j = 0; j <= b.size(); ++j) {
        row[j] = j;
    }
    for (size_t i = 1; i <= a.size(); ++i) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            const size_t above = row[j];
            row[j] =
                std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
            diagonal = above;
        }
    }
    return row[b.size()];
}

bool equals_ignoring_case(std::string_view text, std::string_view lower) {
    return text.size() == lower.size() &&
           std::equal(text.begin(), text.end(), lower.begin(), [](char a, char b) {
               return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b;
           });
}

}  // namespace

Config::Config(std::span<const ConfigKey> keys) {
    for (const ConfigKey& key : keys) {
        Value value;
        const Status status = parse(key, expand_environment(key.default_value), value);
        assert(status.ok());
        static_cast<void>(status.ok());
        values_.emplace(key.name, std::move(value));
    }
}

Status Config::parse(const ConfigKey& key, std::string_view text, Value& value) {
    value.key = &key;
    value.text = text;
    bool valid = true;
    switch (key.type) {
        case ConfigType::kInt:
        case ConfigType::kLong: {
            auto [end, error] =
                std::from_chars(text.data(), text.data() + text.size(), value.integer);
            valid = error == std::errc() && end == text.data() + text.size() &&
                    (key.type == ConfigType::kLong ||
                     value.integer == static_cast<int32_t>(value.integer));
            value.real = static_cast<double>(value.integer);
            break;
        }
        case ConfigType::kDouble:
            valid = parse_double(text, value.real);
            value.integer = static_cast<int64_t>(value.real);
            break;
        case ConfigType::kBool:
            valid = equals_ignoring_case(text, "true") || equals_ignoring_case(text, "false") ||
                    text == "1" || text == "0";
            value.integer = equals_ignoring_case(text, "true") || text == "1" ? 1 : 0;
            break;
        case ConfigType::kString:
            break;
    }
    if (!valid) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "Invalid value for configuration key {}: {}",
            key.name,
            text
        );
    }
    if ((key.has_min && value.real < key.min) || (key.has_max && value.real > key.max)) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "Value of configuration key {} is out of range {}..{}: {}",
            key.name,
            key.has_min ? fmt::format("{}", key.min) : "",
            key.has_max ? fmt::format("{}", key.max) : "",
            text
        );
    }
    return {};
}

Status Config::load_file(const std::string& path, std::vector<std::string>& warnings) {
    std::ifstream file(path);
    if (!file) {
        return Status::error(ErrorCode::kIoError, "Cannot read configuration file {}", path);
    }
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        const std::string_view content = trim_blanks(line);
        if (content.empty() || content.front() == '#') {
            continue;
        }
        const size_t equals = content.find('=');
        if (equals == std::string_view::npos) {
            warnings.push_back(fmt::format("{}:{}: not 'key = value': {}", path, number, content));
            continue;
        }
        const std::string_view name = trim_blanks(content.substr(0, equals));
        const std::string value = expand_environment(trim_blanks(content.substr(equals + 1)));
        if (values_.find(name) == values_.end()) {
            auto nearest = std::min_element(
                values_.begin(),
                values_.end(),
                [name](const auto& a, const auto& b) {
                    return edit_distance(name, a.first) < edit_distance(name, b.first);
                }
            );
            const bool is_environment = std::all_of(name.begin(), name.end(), [](char c) {
                return (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
            });
            if (!is_environment) {  // JAVA_OPTS and the like are for the scripts.
                warnings.push_back(fmt::format(
                    "{}:{}: unknown key {}{}",
                    path,
                    number,
                    name,
                    nearest == values_.end() ? ""
                                             : fmt::format("; did you mean {}?", nearest->first)
                ));
            }
            continue;
        }
        RETURN_IF_ERROR(set(name, value, false).with_context("{}:{}", path, number));
    }
    return {};
}

Status Config::set(std::string_view name, std::string_view value, bool at_run_time) {
    std::unique_lock lock(mutex_);
    auto entry = values_.find(name);
    if (entry == values_.end()) {
        return Status::error(ErrorCode::kNotFound, "Unknown configuration key: {}", name);
    }
    const ConfigKey& key = *entry->second.key;
    if (at_run_time && !key.is_mutable) {
        return Status::error(
            ErrorCode::kInvalidArgument, "Configuration key {} cannot be changed at run time", name
        );
    }
    Value parsed;
    RETURN_IF_ERROR(parse(key, value, parsed));
    entry->second = std::move(parsed);
    return {};
}

Config::Value Config::get(std::string_view name) const {
    std::shared_lock lock(mutex_);
    auto entry = values_.find(name);
    assert(entry != values_.end());  // Names come from the generated accessors.
    return entry == values_.end() ? Value{} : entry->second;
}

int32_t Config::get_int(std::string_view name) const {
    return static_cast<int32_t>(get(name).integer);
}

int64_t Config::get_long(std::string_view name) const {
    return get(name).integer;
}

bool Config::get_bool(std::string_view name) const {
    return get(name).integer != 0;
}

double Config::get_double(std::string_view name) const {
    return get(name).real;
}

std::string Config::get_string(std::string_view name) const {
    return get(name).text;
}

std::vector<Config::Entry> Config::entries() const {
    std::shared_lock lock(mutex_);
    std::vector<Entry> all;
    for (const auto& [name, value] : values_) {
        all.push_back({value.key, value.text});
    }
    return all;
}

}  // namespace thetis
