// SPDX-License-Identifier: Apache-2.0
// translate: characters replaced one by one.
#include "base/text/utf8.h"
#include "functions/adapters.h"

namespace thetis {

namespace {

/// Appends the text with every character of `from` replaced by the one at its place in `to`, or
/// left out where `to` is shorter. Of a repeated character in `from` the first counts.
void translate(
    std::string& out, std::string_view text, std::string_view from, std::string_view to
) {
    while (!text.empty()) {
        const size_t length = utf8_offset(text, 1);
        const std::string_view character = text.substr(0, length);
        text.remove_prefix(length);
        std::string_view rest = from;
        std::string_view targets = to;
        std::string_view replacement = character;
        while (!rest.empty()) {
            const size_t rest_length = utf8_offset(rest, 1);
            const size_t target_length = targets.empty() ? 0 : utf8_offset(targets, 1);
            if (rest.substr(0, rest_length) == character) {
                replacement = targets.substr(0, target_length);
                break;
            }
            rest.remove_prefix(rest_length);
            targets.remove_prefix(target_length);
        }
        out += replacement;
    }
}

}  // namespace

void register_translate(ScalarRegistry& registry) {
    registry.add_kernel(
        "translate", text_kernel<std::string_view, std::string_view, std::string_view>(translate)
    );
}

}  // namespace thetis
