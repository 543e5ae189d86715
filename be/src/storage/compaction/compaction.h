// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/debug_points.h"
#include "base/memory/tracker.h"
#include "base/status.h"
#include "io/fs/file_system.h"
#include "storage/compaction/row_positions.h"
#include "storage/rowset/rowset.h"
#include "storage/tablet_schema.h"

namespace thetis {

/// What to rewrite, and where to.
struct CompactionTask {
    TabletSchemaPtr schema;
    std::vector<RowsetPtr> inputs;  ///< Of adjacent versions, ascending.
    std::shared_ptr<const FileSystem> fs;
    std::string directory;
    std::string rowset_id;
    int64_t max_segment_bytes = int64_t{1} << 30;  ///< About; a new segment begins after it.
    size_t columns_per_group = 5;                  ///< Rewritten in one pass over the inputs.
    /// Columns are rewritten all in one pass while open pages of all inputs fit.
    int64_t page_memory_bytes = int64_t{64} << 20;
    /// A partial update that is being written or waits for its version may have read a row before
    /// its key was deleted: only the delete-signed row tells its publish so.
    bool keeps_delete_signs = false;
    bool sync_files = true;
    std::shared_ptr<MemoryTracker> memory;
    DebugPoints* debug_points = nullptr;
    std::function<bool()> is_cancelled;  ///< Asked now and then.
};

struct CompactionResult {
    RowsetMeta meta{};
    RowPositions positions{};  ///< Merge-on-write: where each row went; else empty.
};

/// Rewrites rowsets of adjacent versions as one, in key order, by the rules of the table's model:
/// all rows, or the latest of each key, or one row per key with its values joined. Rows that are
/// deleted at the last of the versions are left out; from version 0 on also what conditions and
/// delete signs delete. Columns are rewritten a group at a time. Durable when it returns; on
/// failure it leaves no files. The inputs stay as they are.
Result<CompactionResult> compact_rowsets(const CompactionTask& task);

/// About how many bytes compact_rowsets takes beside its output.
int64_t estimate_compaction_memory(const CompactionTask& task);

}  // namespace thetis
