// SPDX-License-Identifier: Apache-2.0
#include "storage/engine/settings_parser.h"

#include <charconv>

namespace thetis {

Result<int64_t> parse_bytes_or_share(std::string_view text, int64_t whole_bytes) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    std::string unit(end, static_cast<size_t>(text.data() + text.size() - end));
    std::transform(unit.begin(), unit.end(), unit.begin(), [](unsigned char c) {
        return static_cast<char>(std::toupper(c));
    });
    if (unit.size() == 2 && unit.back() == 'B') {
        unit.pop_back();
    }
    const auto bad = [&] {
        return Status::error(ErrorCode::kInvalidArgument, "Not a size (512M, 20%): {}", text);
    };
    if (error != std::errc() || number < 0 || unit.size() > 1) {
        return bad();
    }
    double factor = 1;
    if (unit == "%") {
        if (number > 100) {
            return bad();
        }
        factor = static_cast<double>(whole_bytes) / 100;
    } else if (!unit.empty()) {
        const size_t power = std::string_view("BKMGT").find(unit.front());
        if (power == std::string_view::npos) {
            return bad();
        }
        factor = static_cast<double>(uint64_t{1} << (10 * power));
    }
    const double bytes = number * factor;
    return bytes < 9e18 ? Result<int64_t>(static_cast<int64_t>(bytes)) : bad();
}

}  // namespace thetis
