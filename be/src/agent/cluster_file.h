// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/status.h"

namespace thetis {

/// The cluster a data directory belongs to; fixed by the first heartbeat, so that a back end
/// started with another cluster's data cannot mix the two.
struct ClusterIdentity {
    int64_t cluster_id = 0;
    std::string token;
};

/// Reads `<directory>/cluster_id`; nothing when there is none yet.
Result<std::optional<ClusterIdentity>> read_cluster_file(const std::string& directory);

/// Writes it so that a crash leaves the old or the new file.
Status write_cluster_file(const std::string& directory, const ClusterIdentity& identity);

}  // namespace thetis
