// SPDX-License-Identifier: Apache-2.0
#include "server/memory_size.h"

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <string>

#include <unistd.h>

namespace thetis {

Result<int64_t> parse_memory_size(std::string_view text, int64_t whole) {
    std::string copy(text);
    char* end = nullptr;
    double number = std::strtod(copy.c_str(), &end);
    std::string unit(end);
    while (!unit.empty() && std::isspace(static_cast<unsigned char>(unit.back())) != 0) {
        unit.pop_back();
    }
    if (end == copy.c_str() || !(number > 0) || unit.size() > 2) {
        return Status::error(ErrorCode::kInvalidArgument, "'{}' is not a memory size", text);
    }
    if (unit == "%") {
        return static_cast<int64_t>(number / 100 * static_cast<double>(whole));
    }
    int shift = 0;
    if (!unit.empty()) {
        constexpr std::string_view kUnits = "BKMGT";
        size_t at =
            kUnits.find(static_cast<char>(std::toupper(static_cast<unsigned char>(unit[0]))));
        if (at == std::string_view::npos ||
            (unit.size() == 2 && std::toupper(static_cast<unsigned char>(unit[1])) != 'B')) {
            return Status::error(ErrorCode::kInvalidArgument, "'{}' is not a memory size", text);
        }
        shift = static_cast<int>(at) * 10;
    }
    return static_cast<int64_t>(number * static_cast<double>(int64_t{1} << shift));
}

int64_t machine_memory_bytes() {
    int64_t bytes = static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
    for (const char* path :
         {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
        std::ifstream file(path);
        int64_t limit = 0;
        if (file >> limit && limit > 0 && limit < bytes) {
            bytes = limit;
        }
    }
    return bytes;
}

}  // namespace thetis
