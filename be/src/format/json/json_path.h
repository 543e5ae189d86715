// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace thetis {

/// One step of a JSON path: a member by key, or an element by index.
struct JsonStep {
    std::string key;
    int64_t index = -1;  ///< Not negative: an element.
};

/// `$`, `$.a.b`, `$.a[0]`, `$["a b"]`; the `$` may be left out.
struct JsonPath {
    std::vector<JsonStep> steps;

    static Result<JsonPath> parse(std::string_view text);
};

/// The jsonpaths load header: a JSON array of paths.
Result<std::vector<JsonPath>> parse_json_paths(const std::string& text);

}  // namespace thetis
