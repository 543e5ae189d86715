// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/status.h"
#include "storage/tablet/tablet_reader.h"

namespace thetis {

/// Switches off what the comma list names: zone_map, short_key, bloom_filter, dictionary_predicate,
/// late_materialization, page_cache. Results are the same without. invalid_argument for others.
Status disable_features(std::string_view names, ReadOptions& options);

}  // namespace thetis
