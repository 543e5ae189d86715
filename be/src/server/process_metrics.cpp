// SPDX-License-Identifier: Apache-2.0
#include "server/process_metrics.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "base/memory/tracker.h"
#include "base/metrics.h"
#include "load/load_channels.h"
#include "query/fragment_manager.h"
#include "storage/engine/storage_engine.h"

namespace thetis {

namespace {

/// A line of /proc/self/status in its own unit.
int64_t read_process_status(const std::string& name) {
    std::ifstream file("/proc/self/status");
    std::string line;
    while (std::getline(file, line)) {
        if (line.starts_with(name + ":")) {
            return std::strtoll(line.c_str() + name.size() + 1, nullptr, 10);
        }
    }
    return 0;
}

int64_t count_open_files() {
    std::error_code error;
    int64_t count = 0;
    for ([[maybe_unused]] const auto& entry :
         std::filesystem::directory_iterator("/proc/self/fd", error)) {
        ++count;
    }
    return count;
}

void register_query_metrics(MetricRegistry& metrics, FragmentManager& fragments) {
    metrics.gauge_function("query_ctx_cnt", "Queries and loads on this back end.", "", [&] {
        return fragments.metrics().num_queries;
    });
    metrics.gauge_function(
        "fragment_prepared_not_started",
        "Prepared queries whose gate is not open.",
        "",
        [&] { return fragments.metrics().num_prepared_not_started; }
    );
    metrics.gauge_function("exchange_receivers", "Registered exchange receivers.", "", [&] {
        return fragments.metrics().num_receivers;
    });
    metrics.gauge_function("fragment_requests_total", "Queries started.", "", [&] {
        return fragments.metrics().total_started;
    });
    metrics.gauge_function("fragment_finished_total", "Queries that ended well.", "", [&] {
        return fragments.metrics().total_finished;
    });
    metrics.gauge_function("fragment_failed_total", "Queries that failed.", "", [&] {
        return fragments.metrics().total_failed;
    });
    metrics.gauge_function("fragment_cancelled_total", "Queries that were cancelled.", "", [&] {
        return fragments.metrics().total_cancelled;
    });
    metrics.gauge_function("query_mem_consumption", "Bytes that running queries hold.", "", [&] {
        return fragments.metrics().memory_bytes;
    });
}

void register_storage_metrics(MetricRegistry& metrics, StorageEngine& storage) {
    metrics.gauge_function(
        "memtable_memory_limiter_mem_consumption",
        "Bytes in memtables.",
        "",
        [&] { return storage.load_memory_bytes(); }
    );
    metrics.gauge_function("cache_usage", "Bytes in a cache.", "name=\"DataPageCache\"", [&] {
        return storage.page_cache_bytes();
    });
    const std::string_view segments = "name=\"SegmentCache\"";
    metrics.gauge_function("cache_capacity", "Most entries of a cache.", segments, [&] {
        return storage.segment_cache_counts().capacity;
    });
    metrics.gauge_function("cache_element_count", "Entries of a cache.", segments, [&] {
        return storage.segment_cache_counts().open;
    });
    metrics.gauge_function(
        "segment_cache_evictions_total",
        "Rowsets and tablets whose files were closed to make room for others.",
        "",
        [&] { return storage.segment_cache_counts().evictions; }
    );
    for (const auto& disk : storage.disk_usage()) {
        std::string labels = fmt::format("path=\"{}\"", disk.path);
        auto find = [&storage, path = disk.path](int64_t DiskUsage::* field) {
            for (const auto& usage : storage.disk_usage()) {
                if (usage.path == path) {
                    return usage.*field;
                }
            }
            return int64_t{0};
        };
        metrics.gauge_function("disks_total_capacity", "Bytes of the disk.", labels, [find] {
            return find(&DiskUsage::total_bytes);
        });
        metrics.gauge_function("disks_avail_capacity", "Free bytes of the disk.", labels, [find] {
            return find(&DiskUsage::available_bytes);
        });
        metrics.gauge_function("disks_local_used_capacity", "Bytes of tablets.", labels, [find] {
            return find(&DiskUsage::used_bytes);
        });
    }
}

}  // namespace

void register_process_metrics(MetricRegistry& metrics, const ProcessMetricSources& sources) {
    register_query_metrics(metrics, *sources.fragments);
    register_storage_metrics(metrics, *sources.storage);
    auto& loads = *sources.loads;
    metrics.gauge_function("load_channel_count", "Loads that write tablets here.", "", [&loads] {
        return static_cast<int64_t>(loads.num_channels());
    });
    metrics.gauge_function("tablet_writer_count", "Open tablet writers.", "", [&loads] {
        return static_cast<int64_t>(loads.num_tablet_writers());
    });
    auto& memory = *sources.process_memory;
    metrics.gauge_function("memory_tracked_bytes", "Bytes counted against owners.", "", [&memory] {
        return memory.used_bytes();
    });
    metrics.gauge_function("memory_allocated_bytes", "Resident bytes of the process.", "", [] {
        return read_process_status("VmRSS") * 1024;
    });
    metrics.gauge_function("process_thread_num", "Threads of the process.", "", [] {
        return read_process_status("Threads");
    });
    metrics.gauge_function("process_fd_num_used", "Open files of the process.", "", [] {
        return count_open_files();
    });
}

}  // namespace thetis
