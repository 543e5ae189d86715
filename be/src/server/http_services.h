// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace thetis {

class ClusterState;
class Config;
class DebugPoints;
class ErrorLogStore;
class FragmentManager;
class LoadChannels;
class MemoryTracker;
class MetricRegistry;
class Reporter;
class StorageEngine;
class StreamLoadService;

/// What endpoints may use. All outlive the HTTP server; tests leave out what they do not need.
struct HttpServices {
    Config* config = nullptr;
    std::string custom_config_path;  ///< Where update_config persists.
    std::function<void()> on_config_changed;
    DebugPoints* debug_points = nullptr;
    MetricRegistry* metrics = nullptr;
    StorageEngine* storage = nullptr;
    FragmentManager* fragments = nullptr;
    LoadChannels* loads = nullptr;
    ErrorLogStore* error_logs = nullptr;
    StreamLoadService* stream_loads = nullptr;
    Reporter* reporter = nullptr;
    MemoryTracker* process_memory = nullptr;
    const ClusterState* cluster = nullptr;
    std::string version;
};

}  // namespace thetis
