// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/status.h"
#include "io/fs/file_system.h"
#include "storage/memtable/sorted_rows.h"
#include "storage/rowset/rowset.h"
#include "storage/tablet/load_marks.h"

namespace thetis {

/// Takes the columns that a load did not send from the rows that its keys have in `rowsets` at
/// `version`. With `existing_only` rows whose key has none are dropped; gives their number.
Result<uint32_t> fill_from_old_rows(
    SortedRows& rows, std::span<const RowsetPtr> rowsets, int64_t version, bool existing_only
);

/// Where recompute_changed_rows writes.
struct FurtherSegment {
    const FileSystem* fs = nullptr;
    std::string directory;
    bool sync = true;
};

/// Rows of a partial update whose keys other loads wrote after its base version are made again from
/// what those loads left, as a further segment; the rows first made are marked as lost. Of an
/// update of existing rows those that are gone are not made again. Gives the load's metadata with
/// that segment, if there is one, or nothing when no row changed.
Result<std::optional<RowsetMeta>> recompute_changed_rows(
    const TabletSchemaPtr& schema,
    const RowsetPtr& load,
    std::span<const RowsetPtr> rowsets,
    const FurtherSegment& output,
    LoadMarks& marks
);

}  // namespace thetis
