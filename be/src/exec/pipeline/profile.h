// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <deque>
#include <mutex>
#include <string>

namespace thetis {

/// Counters of one operator, summed over its tasks. Relaxed atomics: they are read for display
/// only.
struct OperatorProfile {
    std::string name;
    int node_id = -1;
    std::atomic<int64_t> rows_out{0};
    std::atomic<int64_t> batches_out{0};
    std::atomic<int64_t> busy_nanos{0};
    std::atomic<int64_t> detail{0
    };  ///< Operator's own figure (build rows, groups); shown when detail_name is set.
    const char* detail_name = nullptr;

    struct Counter {
        const char* name = nullptr;
        std::atomic<int64_t> value{0};
    };

    /// Further figures, shown when not zero. Added before the operator runs; they stay where they
    /// are.
    std::atomic<int64_t>& add_counter(const char* counter_name) {
        Counter& counter = counters.emplace_back();
        counter.name = counter_name;
        return counter.value;
    }

    std::deque<Counter> counters;
};

/// All operators of a query on this back end. Thread-safe; entries live as long as this object.
class QueryProfile {
public:
    OperatorProfile& add(std::string name, int node_id);
    /// One line per operator in the order of the plan's construction.
    std::string to_text() const;

    std::atomic<int64_t> scan_rows{0};
    std::atomic<int64_t> scan_bytes{0};
    std::atomic<int64_t> cpu_nanos{0};

private:
    mutable std::mutex mutex_;  // Guards operators_ (the list, not the counters).
    std::deque<OperatorProfile> operators_;
};

}  // namespace thetis
