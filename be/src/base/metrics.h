// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/thread/mutex.h"

namespace thetis {

/// Only grows. Thread-safe, one relaxed add.
class Counter {
public:
    void add(int64_t by = 1) { value_.fetch_add(by, std::memory_order_relaxed); }

    int64_t value() const { return value_.load(std::memory_order_relaxed); }

private:
    std::atomic<int64_t> value_{0};
};

/// Goes up and down.
class Gauge {
public:
    void set(int64_t value) { value_.store(value, std::memory_order_relaxed); }

    void add(int64_t by) { value_.fetch_add(by, std::memory_order_relaxed); }

    int64_t value() const { return value_.load(std::memory_order_relaxed); }

private:
    std::atomic<int64_t> value_{0};
};

/// Distribution of non-negative values (microseconds, bytes) in power-of-two buckets.
class Histogram {
public:
    static constexpr int kNumBuckets = 40;

    void record(int64_t value);

    int64_t count() const { return count_.load(std::memory_order_relaxed); }

    int64_t sum() const { return sum_.load(std::memory_order_relaxed); }

    /// Upper bound of the bucket that holds the given share (0..1) of the values.
    int64_t quantile(double share) const;

    int64_t bucket(int i) const {
        return buckets_[static_cast<size_t>(i)].load(std::memory_order_relaxed);
    }

private:
    std::atomic<int64_t> count_{0};
    std::atomic<int64_t> sum_{0};
    std::array<std::atomic<int64_t>, kNumBuckets> buckets_{};
};

/// All metrics of the process, owned by main and passed down. Metrics live as long as the registry;
/// asking for the same name and labels again gives the same metric. Thread-safe.
class MetricRegistry {
public:
    /// `labels` as Prometheus writes them: `path="/data",kind="ssd"`; may be empty.
    Counter& counter(std::string_view name, std::string_view help, std::string_view labels = {});
    Gauge& gauge(std::string_view name, std::string_view help, std::string_view labels = {});
    Histogram& histogram(
        std::string_view name, std::string_view help, std::string_view labels = {}
    );
    /// A gauge whose value is asked for when the page is made; `read` must stay valid as long as
    /// the registry.
    void gauge_function(
        std::string_view name,
        std::string_view help,
        std::string_view labels,
        std::function<int64_t()> read
    );

    /// Prometheus text exposition, names prefixed with `prefix`.
    std::string prometheus_text(std::string_view prefix) const;

private:
    struct Metric;
    Metric& find_or_add(
        std::string_view name, std::string_view help, std::string_view labels, int kind
    );

    mutable Mutex mutex_;  // Guards metrics_, not the values.
    std::vector<std::unique_ptr<Metric>> metrics_ GUARDED_BY(mutex_);

public:
    MetricRegistry();
    ~MetricRegistry();
    MetricRegistry(const MetricRegistry&) = delete;
    MetricRegistry& operator=(const MetricRegistry&) = delete;
};

}  // namespace thetis
