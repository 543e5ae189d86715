// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <simdjson.h>

namespace thetis {

/// A path like `$.a."b.c"[0]`: keys and array positions, or `*` for all of an object or array.
class DocumentPath {
public:
    static std::optional<DocumentPath> parse(std::string_view text);

    /// The element at the path. A wildcard path has no single element and finds nothing.
    std::optional<simdjson::dom::element> find(simdjson::dom::element root) const;

private:
    struct Step {
        std::string key;
        size_t index = 0;
        bool is_index = false;
    };

    std::vector<Step> steps_;
};

/// Parses a document with a parser that the thread keeps; the element is valid until the next call
/// on this thread.
std::optional<simdjson::dom::element> parse_json(std::string_view text);

/// Appends an element as compact JSON.
void append_json(std::string& out, simdjson::dom::element element);

}  // namespace thetis
