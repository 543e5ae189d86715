// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "format/json/json_path.h"

namespace thetis {

/// How a JSON body is cut into rows and columns.
struct JsonOptions {
    std::vector<std::string>
        columns;  ///< Source columns: keys of the row object, unless there are paths.
    std::vector<JsonPath> paths;  ///< One per source column, or none.
    JsonPath root;                ///< To the object or array that holds the rows.
    bool strip_outer_array = false;
    bool read_by_line = false;                    ///< One value per line.
    int64_t max_body_bytes = int64_t{100} << 20;  ///< When not read by line.
    uint32_t max_batch_rows = 4096;

    static Result<JsonOptions> parse(
        const std::map<std::string, std::string>& properties, std::vector<std::string> columns
    );
};

}  // namespace thetis
