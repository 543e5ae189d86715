// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/status.h"

namespace thetis {

/// A stream load as it came over HTTP.
struct LoadRequest {
    std::string db;
    std::string table;
    std::string user;
    std::string password;
    std::string token;  ///< The cluster's, instead of a password; may be empty.
    std::string client_host;
    std::map<std::string, std::string> headers;  ///< Lower-case names.
    int64_t body_bytes = -1;                     ///< -1: chunked.

    /// Empty when absent.
    const std::string& header(const std::string& name) const;
};

/// Reads the body piece by piece until `piece` returns false; returns false when the body broke off
/// (or was stopped).
using BodyReader = std::function<bool(const std::function<bool(std::string_view)>& piece)>;

/// Limits of a load, from the configuration.
struct LoadLimits {
    int64_t max_body_mb = 102400;
    int64_t max_json_body_mb = 100;
};

/// Checks what can be checked without the front end: sizes, exclusive headers, values.
Status check_load_request(const LoadRequest& request, const LoadLimits& limits);

/// The user and password of a Basic Authorization header; unauthenticated requests give
/// access_denied. What follows `@` in the user name is cut.
Status parse_basic_auth(std::string_view header, std::string& user, std::string& password);

}  // namespace thetis
