// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace thetis {

enum class ConfigType : uint8_t { kInt, kLong, kBool, kDouble, kString };

/// One configuration key as gensrc/catalog/config/be.toml declares it.
struct ConfigKey {
    std::string_view name;
    ConfigType type;
    std::string_view default_value;
    bool is_mutable;
    bool has_effect;
    bool has_min;
    double min;
    bool has_max;
    double max;
    std::string_view doc;
};

/// Current values of all known keys. Thread-safe; reading a value takes a shared lock, so hot paths
/// read once and keep it.
class Config {
public:
    explicit Config(std::span<const ConfigKey> keys);

    /// Reads `key = value` lines (`#` comments, `${ENV}` expanded). Unknown keys become warnings
    /// that name the nearest known key.
    Status load_file(const std::string& path, std::vector<std::string>& warnings);

    /// Sets one value after checking type and range; `at_run_time` refuses keys that are not
    /// mutable.
    Status set(std::string_view name, std::string_view value, bool at_run_time);

    int32_t get_int(std::string_view name) const;
    int64_t get_long(std::string_view name) const;
    bool get_bool(std::string_view name) const;
    double get_double(std::string_view name) const;
    std::string get_string(std::string_view name) const;

    struct Entry {
        const ConfigKey* key;
        std::string value;
    };

    /// All keys with current values, by name.
    std::vector<Entry> entries() const;

private:
    struct Value {
        const ConfigKey* key = nullptr;
        std::string text;
        int64_t integer = 0;
        double real = 0;
    };

    static Status parse(const ConfigKey& key, std::string_view text, Value& value);
    Value get(std::string_view name) const;

    mutable std::shared_mutex mutex_;  // Guards values_.
    std::map<std::string, Value, std::less<>> values_;
};

}  // namespace thetis
