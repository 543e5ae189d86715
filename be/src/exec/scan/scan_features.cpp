// SPDX-License-Identifier: Apache-2.0
#include "exec/scan/scan_features.h"

#include <algorithm>

namespace thetis {

namespace {

struct Feature {
    std::string_view name;
    bool ReadOptions::* is_used;
};

constexpr Feature kFeatures[] = {
    {"bloom_filter", &ReadOptions::use_bloom_filters},
    {"dictionary_predicate", &ReadOptions::use_dictionary_predicates},
    {"late_materialization", &ReadOptions::use_late_materialization},
    {"page_cache", &ReadOptions::use_page_cache},
    {"short_key", &ReadOptions::use_short_key},
    {"zone_map", &ReadOptions::use_zone_maps}
};

}  // namespace

Status disable_features(std::string_view names, ReadOptions& options) {
    while (!names.empty()) {
        const size_t comma = std::min(names.find(','), names.size());
        std::string_view name = names.substr(0, comma);
        names.remove_prefix(std::min(comma + 1, names.size()));
        while (!name.empty() && name.front() == ' ') {
            name.remove_prefix(1);
        }
        while (!name.empty() && name.back() == ' ') {
            name.remove_suffix(1);
        }
        if (name.empty()) {
            continue;
        }
        const auto* feature =
            std::find_if(std::begin(kFeatures), std::end(kFeatures), [name](const Feature& each) {
                return each.name == name;
            });
        if (feature == std::end(kFeatures)) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "disabled_scan_features: scans have no feature '{}'",
                name
            );
        }
        options.*(feature->is_used) = false;
    }
    return {};
}

}  // namespace thetis
