// SPDX-License-Identifier: Apache-2.0
#include "format/json/json_options.h"

namespace thetis {

Result<JsonOptions> JsonOptions::parse(
    const std::map<std::string, std::string>& properties, std::vector<std::string> columns
) {
    auto text_of = [&](const std::string& name) {
        auto found = properties.find(name);
        return found == properties.end() ? std::string() : found->second;
    };
    JsonOptions options;
    options.columns = std::move(columns);
    options.strip_outer_array = text_of("strip_outer_array") == "true";
    options.read_by_line = text_of("read_json_by_line") == "true";
    if (auto paths = text_of("jsonpaths"); !paths.empty()) {
        ASSIGN_OR_RETURN(options.paths, parse_json_paths(paths));
        if (options.paths.size() != options.columns.size()) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "jsonpaths has {} paths for {} columns",
                options.paths.size(),
                options.columns.size()
            );
        }
    }
    if (auto root = text_of("json_root"); !root.empty()) {
        ASSIGN_OR_RETURN(options.root, JsonPath::parse(root));
    }
    return options;
}

}  // namespace thetis
