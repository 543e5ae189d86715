// SPDX-License-Identifier: Apache-2.0
#include "functions/scalar/json/document_path.h"

#include "base/text/numbers.h"

namespace thetis {

std::optional<DocumentPath> DocumentPath::parse(std::string_view text) {
    text = trim_blanks(text);
    if (!text.starts_with('$')) {
        return std::nullopt;
    }
    DocumentPath path;
    for (size_t i = 1; i < text.size();) {
        Step step;
        if (text[i] == '[') {
            const size_t end = text.find(']', i);
            if (end == std::string_view::npos) {
                return std::nullopt;
            }
            int32_t index;
            if (!parse_integer(text.substr(i + 1, end - i - 1), index) || index < 0) {
                return std::nullopt;
            }
            step.is_index = true;
            step.index = static_cast<size_t>(index);
            i = end + 1;
        } else if (text[i] == '.') {
            ++i;
            if (i < text.size() && text[i] == '"') {
                const size_t end = text.find('"', i + 1);
                if (end == std::string_view::npos) {
                    return std::nullopt;
                }
                step.key = text.substr(i + 1, end - i - 1);
                i = end + 1;
            } else {
                const size_t end = std::min(text.find_first_of(".[", i), text.size());
                step.key = text.substr(i, end - i);
                i = end;
                if (step.key.empty() || step.key == "*") {
                    return std::nullopt;
                }
            }
        } else {
            return std::nullopt;
        }
        path.steps_.push_back(std::move(step));
    }
    return path;
}

std::optional<simdjson::dom::element> DocumentPath::find(simdjson::dom::element root) const {
    simdjson::dom::element current = root;
    for (const Step& step : steps_) {
        simdjson::dom::element next;
        if (step.is_index) {
            simdjson::dom::array array;
            if (current.get(array) != simdjson::SUCCESS) {
                if (step.index == 0) {  // A value that is no array counts as an array of itself.
                    continue;
                }
                return std::nullopt;
            }
            if (array.at(step.index).get(next) != simdjson::SUCCESS) {
                return std::nullopt;
            }
        } else {
            simdjson::dom::object object;
            if (current.get(object) != simdjson::SUCCESS ||
                object.at_key(step.key).get(next) != simdjson::SUCCESS) {
                return std::nullopt;
            }
        }
        current = next;
    }
    return current;
}

std::optional<simdjson::dom::element> parse_json(std::string_view text) {
    thread_local simdjson::dom::parser parser;  // Scratch space; keeps no state between calls.
    simdjson::dom::element element;
    if (parser.parse(text.data(), text.size()).get(element) != simdjson::SUCCESS) {
        return std::nullopt;
    }
    return element;
}

void append_json(std::string& out, simdjson::dom::element element) {
    out += simdjson::to_string(element);
}

}  // namespace thetis
