// SPDX-License-Identifier: Apache-2.0
#include "format/csv/csv_options.h"

#include <charconv>

namespace thetis {

namespace {

std::string_view find_property(
    const std::map<std::string, std::string>& properties, const std::string& name
) {
    auto found = properties.find(name);
    return found == properties.end() ? std::string_view() : std::string_view(found->second);
}

Status parse_single_byte(
    const std::map<std::string, std::string>& properties, const std::string& name, char& value
) {
    std::string_view text = find_property(properties, name);
    if (text.empty()) {
        return {};
    }
    ASSIGN_OR_RETURN(
        std::string bytes,
        text == "\\" ? Result<std::string>(std::string(text)) : unescape_separator(text)
    );
    if (bytes.size() != 1) {
        return Status::error(ErrorCode::kInvalidArgument, "{} must be one byte: '{}'", name, text);
    }
    value = bytes[0];
    return {};
}

int hex_digit(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c = static_cast<char>(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

}  // namespace

Result<std::string> unescape_separator(std::string_view text) {
    std::string bytes;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            bytes.push_back(text[i]);
            continue;
        }
        char kind = text[++i];
        switch (kind) {
            case 't':
                bytes.push_back('\t');
                break;
            case 'n':
                bytes.push_back('\n');
                break;
            case 'r':
                bytes.push_back('\r');
                break;
            case '\\':
                bytes.push_back('\\');
                break;
            case 'x':
            case 'X': {
                int high = i + 1 < text.size() ? hex_digit(text[i + 1]) : -1;
                int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
                if (high < 0 || low < 0) {
                    return Status::error(
                        ErrorCode::kInvalidArgument,
                        "separator '{}': \\x must be followed by two hexadecimal digits",
                        text
                    );
                }
                bytes.push_back(static_cast<char>(high * 16 + low));
                i += 2;
                break;
            }
            default:
                bytes.push_back('\\');
                bytes.push_back(kind);
        }
    }
    return bytes;
}

Result<CsvOptions> CsvOptions::parse(
    const std::map<std::string, std::string>& properties, uint32_t num_columns
) {
    CsvOptions options;
    options.num_columns = num_columns;
    if (auto text = find_property(properties, "column_separator"); !text.empty()) {
        ASSIGN_OR_RETURN(options.column_separator, unescape_separator(text));
    }
    if (auto text = find_property(properties, "line_delimiter"); !text.empty()) {
        ASSIGN_OR_RETURN(options.line_delimiter, unescape_separator(text));
    }
    if (options.column_separator == options.line_delimiter) {
        return Status::error(
            ErrorCode::kInvalidArgument, "column_separator and line_delimiter must differ"
        );
    }
    RETURN_IF_ERROR(parse_single_byte(properties, "enclose", options.enclose));
    RETURN_IF_ERROR(parse_single_byte(properties, "escape", options.escape));
    options.trim_double_quotes = find_property(properties, "trim_double_quotes") == "true";
    options.empty_field_as_null = find_property(properties, "empty_field_as_null") == "true";
    if (auto text = find_property(properties, "skip_lines"); !text.empty()) {
        auto [end, error] =
            std::from_chars(text.data(), text.data() + text.size(), options.skip_lines);
        if (error != std::errc() || end != text.data() + text.size() || options.skip_lines < 0) {
            return Status::error(
                ErrorCode::kInvalidArgument, "skip_lines must be a number of lines: '{}'", text
            );
        }
    }
    return options;
}

}  // namespace thetis
