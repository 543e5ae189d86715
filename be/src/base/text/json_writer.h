// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace thetis {

/// Appends `text` with JSON escapes, quotes included.
void append_json_string(std::string& out, std::string_view text);

/// Writes one JSON document piece by piece; commas and colons come by themselves. `pretty` indents
/// by four blanks.
class JsonWriter {
public:
    explicit JsonWriter(bool pretty = false) : pretty_(pretty) {}

    JsonWriter& begin_object();
    JsonWriter& end_object();
    JsonWriter& begin_array();
    JsonWriter& end_array();
    JsonWriter& key(std::string_view name);
    JsonWriter& value(std::string_view text);

    JsonWriter& value(const char* text) { return value(std::string_view(text)); }

    JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }

    JsonWriter& value(int64_t number);

    JsonWriter& value(int32_t number) { return value(static_cast<int64_t>(number)); }

    JsonWriter& value(uint64_t number);
    JsonWriter& value(double number);
    JsonWriter& value(bool flag);
    JsonWriter& null();
    /// A piece that is JSON already.
    JsonWriter& raw(std::string_view json);

    /// key(name).value(v)
    template <typename T>
    JsonWriter& field(std::string_view name, const T& v) {
        return key(name).value(v);
    }

    const std::string& text() const { return text_; }

    std::string take() { return std::move(text_); }

private:
    void before_value();
    void new_line();

    bool pretty_;
    bool after_key_ = false;
    std::string text_;
    std::vector<bool> has_elements_;  // One per open object or array.
};

}  // namespace thetis
