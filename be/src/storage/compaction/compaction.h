// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/debug_points.h"
#include "base/memory/tracker.h"
#include "base/status.h"
#include "io/fs/file_system.h"
#include "storage/rowset/rowset.h"
#include "storage/tablet_schema.h"

namespace thetis {

/// What writing a compaction's output needs.
struct CompactionOutput {
    std::shared_ptr<const FileSystem> fs;
    std::string directory;
    std::string rowset_id;
    int64_t write_buffer_bytes =
        0;  ///< Rows sorted together in memory, hence the size of the output's segments.
    bool sync_files = true;
    std::shared_ptr<MemoryTracker> memory;
    DebugPoints* debug_points = nullptr;
    std::function<bool()> is_cancelled;  ///< Asked between batches.
};

/// Rewrites rowsets with adjacent versions as one for the DUPLICATE model: all their rows, sorted
/// by key in runs of one write buffer. Durable when it returns; on failure it leaves no files. The
/// inputs stay as they are.
Result<RowsetMeta> compact_rowsets(
    const TabletSchemaPtr& schema,
    const std::vector<RowsetPtr>& inputs,
    const CompactionOutput& output
);

}  // namespace thetis
