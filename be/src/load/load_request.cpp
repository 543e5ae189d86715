// SPDX-License-Identifier: Apache-2.0
#include "load/load_request.h"

#include <charconv>

#include <openssl/evp.h>

namespace thetis {

namespace {

const std::string kEmpty;

bool is_one_of(std::string_view value, std::initializer_list<std::string_view> allowed) {
    return std::find(allowed.begin(), allowed.end(), value) != allowed.end();
}

Status check_flag(const LoadRequest& request, const std::string& name) {
    const std::string& value = request.header(name);
    if (!value.empty() && strcasecmp(value.c_str(), "true") != 0 &&
        strcasecmp(value.c_str(), "false") != 0) {
        return Status::error(
            ErrorCode::kInvalidArgument, "{} must be true or false: '{}'", name, value
        );
    }
    return {};
}

template <typename T>
bool parse_number(const std::string& text, T& value) {
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

Status check_numbers(const LoadRequest& request) {
    if (const std::string& text = request.header("max_filter_ratio"); !text.empty()) {
        double ratio = 0;
        if (!parse_number(text, ratio) || !(ratio >= 0 && ratio <= 1)) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "max_filter_ratio must be a number from 0 to 1: '{}'",
                text
            );
        }
    }
    for (const char* name : {"timeout", "exec_mem_limit"}) {
        int64_t value = 0;
        if (const std::string& text = request.header(name);
            !text.empty() && (!parse_number(text, value) || value <= 0)) {
            return Status::error(
                ErrorCode::kInvalidArgument, "{} must be a positive number: '{}'", name, text
            );
        }
    }
    int64_t lines = 0;
    if (const std::string& text = request.header("skip_lines");
        !text.empty() && (!parse_number(text, lines) || lines < 0)) {
        return Status::error(
            ErrorCode::kInvalidArgument, "skip_lines must be a number of lines: '{}'", text
        );
    }
    return {};
}

}  // namespace

const std::string& LoadRequest::header(const std::string& name) const {
    auto found = headers.find(name);
    return found == headers.end() ? kEmpty : found->second;
}

Status check_load_request(const LoadRequest& request, const LoadLimits& limits) {
    std::string format = request.header("format");
    std::transform(format.begin(), format.end(), format.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    if (is_one_of(format, {"parquet", "orc", "arrow", "hive_text", "wal"})) {
        return Status::error(ErrorCode::kNotSupported, "load format {} is not supported", format);
    }
    if (!is_one_of(format, {"", "csv", "csv_with_names", "csv_with_names_and_types", "json"})) {
        return Status::error(ErrorCode::kInvalidArgument, "unknown load format '{}'", format);
    }
    const std::string& compression = request.header("compress_type");
    if (format == "json" && !compression.empty()) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "compress_type {} cannot be used with format json",
            compression
        );
    }
    if (request.body_bytes > limits.max_body_mb << 20) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "the body of {} bytes is larger than streaming_load_max_mb ({} MB)",
            request.body_bytes,
            limits.max_body_mb
        );
    }
    bool by_line = strcasecmp(request.header("read_json_by_line").c_str(), "true") == 0;
    if (format == "json" && !by_line && request.body_bytes > limits.max_json_body_mb << 20) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "the JSON body of {} bytes is larger than streaming_load_json_max_mb ({} MB); read it "
            "by line",
            request.body_bytes,
            limits.max_json_body_mb
        );
    }
    for (const char* flag :
         {"strict_mode",
          "strip_outer_array",
          "read_json_by_line",
          "trim_double_quotes",
          "num_as_string",
          "fuzzy_parse",
          "negative",
          "partial_columns",
          "load_to_single_tablet"}) {
        RETURN_IF_ERROR(check_flag(request, flag));
    }
    if (!request.header("partitions").empty() && !request.header("temporary_partitions").empty()) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "partitions and temporary_partitions cannot be used together"
        );
    }
    // What the others say about columns and merging, the front end checks against the table.
    if (!request.header("temporary_partitions").empty() ||
        strcasecmp(request.header("negative").c_str(), "true") == 0) {
        return Status::error(
            ErrorCode::kNotSupported,
            "the load header {} is not supported",
            request.header("temporary_partitions").empty() ? "negative" : "temporary_partitions"
        );
    }
    if (const std::string& group = request.header("group_commit");
        is_one_of(group, {"sync_mode", "async_mode"})) {
        return Status::error(ErrorCode::kNotSupported, "group_commit {} is not supported", group);
    } else if (!is_one_of(group, {"", "off_mode"})) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "group_commit must be sync_mode, async_mode or off_mode: '{}'",
            group
        );
    }
    return check_numbers(request);
}

Status parse_basic_auth(std::string_view header, std::string& user, std::string& password) {
    Status refused(ErrorCode::kAccessDenied, "no valid Basic authorization");
    constexpr std::string_view kScheme = "Basic ";
    if (header.size() <= kScheme.size() ||
        strncasecmp(header.data(), kScheme.data(), kScheme.size()) != 0) {
        return refused;
    }
    std::string_view encoded = header.substr(kScheme.size());
    while (!encoded.empty() && encoded.front() == ' ') {
        encoded.remove_prefix(1);
    }
    if (encoded.size() % 4 != 0 || encoded.size() > 4096) {
        return refused;
    }
    std::string decoded(encoded.size() / 4 * 3, '\0');
    int size = EVP_DecodeBlock(
        reinterpret_cast<unsigned char*>(decoded.data()),
        reinterpret_cast<const unsigned char*>(encoded.data()),
        static_cast<int>(encoded.size())
    );
    if (size < 0) {
        return refused;
    }
    size_t padding = encoded.ends_with("==") ? 2 : (encoded.ends_with("=") ? 1 : 0);
    decoded.resize(static_cast<size_t>(size) - padding);
    size_t colon = decoded.find(':');
    if (colon == std::string::npos) {
        return refused;
    }
    user = decoded.substr(0, std::min(colon, decoded.find('@')));
    password = decoded.substr(colon + 1);
    return {};
}

}  // namespace thetis
