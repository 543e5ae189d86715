// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "exec/lookup/lookup_plan.h"

namespace thetis {

namespace pb {
class LookupRequest;
}

class StorageEngine;

/// What a look-up did.
struct LookupCounts {
    uint32_t keys = 0;
    uint32_t rows = 0;            ///< In the result.
    uint32_t not_found = 0;       ///< Keys without a row.
    uint32_t row_cache_hits = 0;  ///< Rows and missing rows.
};

/// Runs one look-up of a prepared plan and appends its rows as MySQL packets to `out`; on an error
/// `out` holds anything. `cache` may be null. Any number of threads may do so at once.
/// invalid_argument: keys or parameters that do not fit the plan; tablet_not_found, missing_version
/// and corruption: another replica may know.
Status run_lookup(
    const LookupPlan& plan,
    const StorageEngine& storage,
    RowCache* cache,
    const pb::LookupRequest& request,
    LookupCounts& counts,
    std::string& out
);

}  // namespace thetis
