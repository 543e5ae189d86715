// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/debug_points.h"
#include "base/memory/tracker.h"
#include "base/status.h"
#include "base/thread/thread_pool.h"
#include "io/fs/file_system.h"
#include "storage/rowset/rowset_meta.h"

namespace thetis {

class Tablet;

/// The memory that the memtables of all loads share. Thread-safe.
class LoadBudget {
public:
    explicit LoadBudget(int64_t limit_bytes) : limit_bytes_(limit_bytes) {}

    void add(int64_t bytes) { used_bytes_.fetch_add(bytes, std::memory_order_relaxed); }

    void add_writer(int by) { num_writers_.fetch_add(by, std::memory_order_relaxed); }

    int64_t used_bytes() const { return used_bytes_.load(std::memory_order_relaxed); }

    /// Past four fifths of the limit, memtables of at least the average size go: the largest is
    /// always among them.
    bool should_flush(int64_t memtable_bytes) const {
        const int64_t used = used_bytes();
        return used > limit_bytes_ / 5 * 4 &&
               memtable_bytes * std::max(num_writers_.load(std::memory_order_relaxed), 1) >= used;
    }

    /// Past the limit, writers wait for their own flushes before they take more.
    bool is_spent() const { return used_bytes() > limit_bytes_; }

private:
    const int64_t limit_bytes_;
    // Approximate steering values: relaxed order is enough.
    std::atomic<int64_t> used_bytes_{0};
    std::atomic<int> num_writers_{0};
};

/// What tablet writers of one data directory use. Owned by the engine, outlives every writer.
struct WriteServices {
    std::shared_ptr<const FileSystem> fs;
    ThreadPool* flush_pool = nullptr;
    LoadBudget* budget = nullptr;
    std::shared_ptr<MemoryTracker> memory;  ///< Counts memtables.
    DebugPoints* debug_points = nullptr;    ///< May be null.
    bool sync_files = true;
    std::function<std::string()> next_rowset_id;
    std::function<int64_t()> write_buffer_bytes;
    std::function<int()> max_running_flushes;
    std::function<int()> max_segments;
    /// Saves a COMMITTED rowset durably and hands it to the tablet. False: the transaction has the
    /// same rowset here already, these files are not needed.
    std::function<Result<bool>(const std::shared_ptr<Tablet>&, RowsetMeta)> commit;
};

}  // namespace thetis
