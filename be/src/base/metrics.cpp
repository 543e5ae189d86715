// SPDX-License-Identifier: Apache-2.0
#include "base/metrics.h"

#include <fmt/format.h>

namespace thetis {

namespace {

enum Kind { kCounter, kGauge, kHistogram, kGaugeFunction };

std::string label_part(std::string_view labels, std::string_view extra = {}) {
    if (labels.empty() && extra.empty()) {
        return {};
    }
    return fmt::format("{{{}{}{}}}", labels, labels.empty() || extra.empty() ? "" : ",", extra);
}

}  // namespace

struct MetricRegistry::Metric {
    std::string name;
    std::string help;
    std::string labels;
    int kind;
    Counter counter;
    Gauge gauge;
    std::unique_ptr<Histogram> histogram;
    std::function<int64_t()> read;
};

MetricRegistry::MetricRegistry() = default;
MetricRegistry::~MetricRegistry() = default;

void Histogram::record(int64_t value) {
    const auto clamped = static_cast<uint64_t>(std::max<int64_t>(value, 0));
    const int bucket = std::min(kNumBuckets - 1, static_cast<int>(std::bit_width(clamped)));
    buckets_[static_cast<size_t>(bucket)].fetch_add(1, std::memory_order_relaxed);
    count_.fetch_add(1, std::memory_order_relaxed);
    sum_.fetch_add(value, std::memory_order_relaxed);
}

int64_t Histogram::quantile(double share) const {
    const auto wanted = static_cast<int64_t>(std::ceil(static_cast<double>(count()) * share));
    int64_t seen = 0;
    for (int i = 0; i < kNumBuckets; ++i) {
        seen += bucket(i);
        if (seen >= wanted && seen > 0) {
            return (int64_t{1} << i) - 1;
        }
    }
    return 0;
}

MetricRegistry::Metric& MetricRegistry::find_or_add(
    std::string_view name, std::string_view help, std::string_view labels, int kind
) {
    MutexLock lock(mutex_);
    for (auto& metric : metrics_) {
        if (metric->name == name && metric->labels == labels) {
            return *metric;
        }
    }
    auto metric = std::make_unique<Metric>();
    metric->name = name;
    metric->help = help;
    metric->labels = labels;
    metric->kind = kind;
    if (kind == kHistogram) {
        metric->histogram = std::make_unique<Histogram>();
    }
    metrics_.push_back(std::move(metric));
    return *metrics_.back();
}

Counter& MetricRegistry::counter(
    std::string_view name, std::string_view help, std::string_view labels
) {
    return find_or_add(name, help, labels, kCounter).counter;
}

Gauge& MetricRegistry::gauge(
    std::string_view name, std::string_view help, std::string_view labels
) {
    return find_or_add(name, help, labels, kGauge).gauge;
}

Histogram& MetricRegistry::histogram(
    std::string_view name, std::string_view help, std::string_view labels
) {
    return *find_or_add(name, help, labels, kHistogram).histogram;
}

void MetricRegistry::gauge_function(
    std::string_view name,
    std::string_view help,
    std::string_view labels,
    std::function<int64_t()> read
) {
    Metric& metric = find_or_add(name, help, labels, kGaugeFunction);
    MutexLock lock(mutex_);
    metric.read = std::move(read);
}

std::string MetricRegistry::prometheus_text(std::string_view prefix) const {
    MutexLock lock(mutex_);
    std::vector<const Metric*> sorted;
    for (const auto& metric : metrics_) {
        sorted.push_back(metric.get());
    }
    std::sort(sorted.begin(), sorted.end(), [](const Metric* a, const Metric* b) {
        return std::tie(a->name, a->labels) < std::tie(b->name, b->labels);
    });
    std::string text;
    auto out = std::back_inserter(text);
    std::string_view previous;
    for (const Metric* metric : sorted) {
        const std::string name = fmt::format("{}{}", prefix, metric->name);
        if (metric->name != previous) {
            const char* type = metric->kind == kCounter
                                   ? "counter"
                                   : (metric->kind == kHistogram ? "summary" : "gauge");
            fmt::format_to(out, "# HELP {} {}\n# TYPE {} {}\n", name, metric->help, name, type);
            previous = metric->name;
        }
        if (metric->kind == kHistogram) {
            for (const char* share : {"0.5", "0.9", "0.99"}) {
                const std::string quantile = fmt::format("quantile=\"{}\"", share);
                fmt::format_to(
                    out,
                    "{}{} {}\n",
                    name,
                    label_part(metric->labels, quantile),
                    metric->histogram->quantile(std::stod(share))
                );
            }
            fmt::format_to(
                out, "{}_sum{} {}\n", name, label_part(metric->labels), metric->histogram->sum()
            );
            fmt::format_to(
                out, "{}_count{} {}\n", name, label_part(metric->labels), metric->histogram->count()
            );
            continue;
        }
        int64_t value = 0;
        if (metric->kind == kCounter) {
            value = metric->counter.value();
        } else if (metric->kind == kGauge) {
            value = metric->gauge.value();
        } else if (metric->read) {
            value = metric->read();
        }
        fmt::format_to(out, "{}{} {}\n", name, label_part(metric->labels), value);
    }
    return text;
}

}  // namespace thetis
