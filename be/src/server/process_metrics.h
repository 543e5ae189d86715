// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace thetis {

class FragmentManager;
class LoadChannels;
class MemoryTracker;
class MetricRegistry;
class StorageEngine;

/// What the process-wide gauges read; all outlive the registry's last page.
struct ProcessMetricSources {
    StorageEngine* storage = nullptr;
    FragmentManager* fragments = nullptr;
    LoadChannels* loads = nullptr;
    MemoryTracker* process_memory = nullptr;
};

/// Gauges that are read when /metrics is asked for.
void register_process_metrics(MetricRegistry& metrics, const ProcessMetricSources& sources);

}  // namespace thetis
