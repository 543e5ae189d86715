// SPDX-License-Identifier: Apache-2.0
#include "exec/pipeline/profile.h"

#include <fmt/format.h>

namespace thetis {

OperatorProfile& QueryProfile::add(std::string name, int node_id) {
    std::lock_guard lock(mutex_);
    auto& entry = operators_.emplace_back();
    entry.name = std::move(name);
    entry.node_id = node_id;
    return entry;
}

std::string QueryProfile::to_text() const {
    std::lock_guard lock(mutex_);
    std::string text;
    for (const auto& entry : operators_) {
        text += fmt::format(
            "{} (id={}): rows={} batches={} time={:.3f}ms",
            entry.name,
            entry.node_id,
            entry.rows_out.load(std::memory_order_relaxed),
            entry.batches_out.load(std::memory_order_relaxed),
            static_cast<double>(entry.busy_nanos.load(std::memory_order_relaxed)) / 1e6
        );
        if (entry.detail_name != nullptr) {
            text += fmt::format(
                " {}={}", entry.detail_name, entry.detail.load(std::memory_order_relaxed)
            );
        }
        for (const auto& counter : entry.counters) {
            const int64_t value = counter.value.load(std::memory_order_relaxed);
            if (value != 0) {
                text += fmt::format(" {}={}", counter.name, value);
            }
        }
        text += '\n';
    }
    return text;
}

}  // namespace thetis
