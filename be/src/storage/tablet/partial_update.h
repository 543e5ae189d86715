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

/// What becomes of rows whose key has no row yet.
enum class MissingKeys : uint8_t {
    kInsert,  ///< They get `new_values`, else defaults; invalid_argument where a NOT NULL column
              ///< has none.
    kKeep,    ///< They stay, with any values, for who knows that they are missing.
    kDrop,
};

/// Takes the columns that a load did not send from the rows that its keys have in `rowsets` at
/// `version`. Gives the rows whose key has none, ascending, as they were before any were dropped.
Result<std::vector<uint32_t>> fill_from_old_rows(
    SortedRows& rows,
    std::span<const RowsetPtr> rowsets,
    int64_t version,
    MissingKeys missing,
    std::span<const NewValue> new_values
);

/// Where recompute_changed_rows writes.
struct FurtherSegment {
    const FileSystem* fs = nullptr;
    std::string directory;
    bool sync = true;
};

/// Rows of a partial update whose keys other loads wrote after its base version are made again from
/// what those loads left, as a further segment; the rows first made are marked as lost, and so are
/// those of PartialUpdate::missing whose key did not come by since. What a row becomes depends on
/// the version before it alone, never on the base version that a replica happened to have. Where
/// only existing rows are updated, or a row cannot be made without an old one, a key that is gone
/// stays gone. Gives the load's metadata with that segment, if there is one, or nothing when no row
/// changed.
Result<std::optional<RowsetMeta>> recompute_changed_rows(
    const TabletSchemaPtr& schema,
    const RowsetPtr& load,
    std::span<const RowsetPtr> rowsets,
    const FurtherSegment& output,
    LoadMarks& marks
);

}  // namespace thetis
