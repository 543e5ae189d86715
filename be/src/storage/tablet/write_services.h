// SPDX-License-Identifier: Apache-2.0
#pragma once

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
#include "storage/tablet/load_budget.h"

namespace thetis {

class Tablet;

/// What tablet writers of one data directory use. Owned by the engine, outlives every writer.
struct WriteServices {
    std::shared_ptr<const FileSystem> fs;
    ThreadPool* flush_pool = nullptr;
    LoadBudget* budget = nullptr;
    std::shared_ptr<MemoryTracker> memory;  ///< Counts memtables.
    DebugPoints* debug_points = nullptr;    ///< May be null.
    bool sync_files = true;
    std::function<std::string()> next_rowset_id;
    /// Files of this rowset are no orphans while the result lives.
    std::function<std::shared_ptr<const void>(const std::string& rowset_id)> hold_rowset_id;
    std::function<int64_t()> write_buffer_bytes;
    std::function<int()> max_running_flushes;
    std::function<int()> max_segments;
    /// Saves a COMMITTED rowset durably and hands it to the tablet, which takes over the load's
    /// schema (may be null) when it is newer. False: the transaction has the same rowset here
    /// already, these files are not needed.
    std::function<Result<bool>(const std::shared_ptr<Tablet>&, RowsetMeta, const TabletSchemaPtr&)>
        commit;
};

}  // namespace thetis
