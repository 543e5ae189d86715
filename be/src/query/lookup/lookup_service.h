// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace thetis {

namespace pb {
class LookupReply;
class LookupRequest;
}  // namespace pb

struct FunctionRegistries;
class MemoryTracker;
class MetricRegistry;
class StorageEngine;

struct LookupOptions {
    size_t max_plans = 2048;                          ///< Prepared look-ups that are remembered.
    size_t row_cache_bytes = 0;                       ///< 0: no row cache.
    std::shared_ptr<MemoryTracker> process_memory{};  ///< Parent of the row cache; may be null.
};

/// Answers key look-ups (gensrc/proto/service_lookup.proto): rows of merge-on-write tables by their
/// whole keys at exactly the asked version. Thread-safe; calls run on the caller's thread, share no
/// state that is locked for long, and wait for nothing but page reads.
class LookupService {
public:
    /// All outlive the service.
    LookupService(
        const StorageEngine& storage,
        const FunctionRegistries& functions,
        MetricRegistry& metrics,
        const LookupOptions& options
    );
    ~LookupService();

    /// Fills `reply` (which is new) and appends the rows as MySQL packets with sequence number 0 to
    /// `rows`. On an error nothing is appended and the reply's code and message say why. Never
    /// throws.
    void lookup(const pb::LookupRequest& request, pb::LookupReply& reply, std::string& rows);

private:
    class Engine;
    const std::shared_ptr<Engine> engine_;  // Gauges hold it weakly.
};

}  // namespace thetis
