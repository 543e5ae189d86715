// SPDX-License-Identifier: Apache-2.0
#include "base/text/json_writer.h"

#include "base/text/numbers.h"

namespace thetis {

void append_json_string(std::string& out, std::string_view text) {
    out += '"';
    for (char c : text) {
        switch (c) {
            case '"':
                out += "\\\"";
                break;
            case '\\':
                out += "\\\\";
                break;
            case '\b':
                out += "\\b";
                break;
            case '\f':
                out += "\\f";
                break;
            case '\n':
                out += "\\n";
                break;
            case '\r':
                out += "\\r";
                break;
            case '\t':
                out += "\\t";
                break;
            default:
                if (static_cast<uint8_t>(c) < 0x20) {
                    out += fmt::format("\\u{:04x}", static_cast<int>(c));
                } else {
                    out += c;
                }
        }
    }
    out += '"';
}

void JsonWriter::new_line() {
    if (pretty_) {
        text_ += '\n';
        text_.append(has_elements_.size() * 4, ' ');
    }
}

void JsonWriter::before_value() {
    if (after_key_) {
        after_key_ = false;
        return;
    }
    if (!has_elements_.empty()) {
        if (has_elements_.back()) {
            text_ += ',';
        }
        has_elements_.back() = true;
        new_line();
    }
}

JsonWriter& JsonWriter::begin_object() {
    before_value();
    text_ += '{';
    has_elements_.push_back(false);
    return *this;
}

JsonWriter& JsonWriter::end_object() {
    const bool had = has_elements_.back();
    has_elements_.pop_back();
    if (had) {
        new_line();
    }
    text_ += '}';
    return *this;
}

JsonWriter& JsonWriter::begin_array() {
    before_value();
    text_ += '[';
    has_elements_.push_back(false);
    return *this;
}

JsonWriter& JsonWriter::end_array() {
    const bool had = has_elements_.back();
    has_elements_.pop_back();
    if (had) {
        new_line();
    }
    text_ += ']';
    return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
    before_value();
    append_json_string(text_, name);
    text_ += pretty_ ? ": " : ":";
    after_key_ = true;
    return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
    before_value();
    append_json_string(text_, text);
    return *this;
}

JsonWriter& JsonWriter::value(int64_t number) {
    before_value();
    char digits[kMaxNumberText];
    text_.append(digits, print_integer(digits, number));
    return *this;
}

JsonWriter& JsonWriter::value(uint64_t number) {
    before_value();
    char digits[kMaxNumberText];
    text_.append(digits, print_unsigned(digits, number));
    return *this;
}

JsonWriter& JsonWriter::value(double number) {
    before_value();
    if (!std::isfinite(number)) {
        text_ += "null";
        return *this;
    }
    char digits[kMaxNumberText];
    text_.append(digits, print_double(digits, number));
    return *this;
}

JsonWriter& JsonWriter::value(bool flag) {
    before_value();
    text_ += flag ? "true" : "false";
    return *this;
}

JsonWriter& JsonWriter::null() {
    before_value();
    text_ += "null";
    return *this;
}

JsonWriter& JsonWriter::raw(std::string_view json) {
    before_value();
    text_ += json;
    return *this;
}

}  // namespace thetis
