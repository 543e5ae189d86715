// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "storage/rowset/delete_bitmap.h"
#include "storage/segment/segment_file.h"
#include "storage/tablet_schema.h"

namespace thetis {

namespace pb {
class RowsetMeta;
}

/// What a new row of a partial update has in a column that the load does not send.
struct NewValue {
    int32_t column_unique_id = 0;
    std::optional<std::string> bytes{};  ///< As of value_to_bytes; absent: NULL.
};

/// A load of some columns: rows got the others from the rows with their keys at `base_version`.
struct PartialUpdate {
    int64_t base_version = 0;
    std::vector<int32_t> column_unique_ids;
    bool existing_only = false;  ///< Rows whose key is gone when it gets its version are left out.
    /// With existing_only: rows whose key was not there at base_version, by segment. They are of no
    /// use unless the key has come by when the rowset gets its version.
    SegmentMarks missing{};
    std::vector<NewValue> new_values{};  ///< Columns without one have their default, else NULL.
};

/// How much of a tablet's history a rowset has that a conversion is writing, part by part.
struct ConversionProgress {
    int64_t version = 0;      ///< Up to which the history is converted.
    uint64_t source = 0;      ///< Tells what is read; another one makes the progress worthless.
    uint32_t num_splits = 0;  ///< Pieces of it that are in the rowset.
};

/// What is recorded of a rowset: the rows of one load, or of a run of versions. A plain value.
struct RowsetMeta {
    std::string rowset_id;  ///< 48 hexadecimal digits.
    int64_t tablet_id = 0;
    int64_t txn_id = 0;
    std::string load_id;
    bool is_visible = false;  ///< Else COMMITTED: complete on disk, waits for its version.
    int64_t start_version = 0;
    int64_t end_version = 0;
    int64_t num_rows = 0;
    int64_t data_size_bytes = 0;
    std::vector<SegmentFile> segments;
    bool is_overlapping = false;  ///< Several segments whose key ranges may overlap.
    int64_t creation_time = 0;    ///< Seconds since 1970.
    TabletSchemaPtr schema;       ///< As written; null: the tablet's.
    /// Wire form of a condition: what is true for it in rowsets of lower versions is deleted. Such
    /// a rowset has no rows.
    std::string delete_predicate;

    /// Only while it waits for its version; in a shadow until the history is there.
    std::optional<PartialUpdate> partial_update;
    /// Only while a conversion writes it.
    std::optional<ConversionProgress> conversion;

    bool is_delete() const { return !delete_predicate.empty(); }

    static Result<RowsetMeta> from_protobuf(const pb::RowsetMeta& message);
    void to_protobuf(pb::RowsetMeta& message) const;
};

/// `<rowset id>_<segment>.dat`
std::string segment_file_name(const std::string& rowset_id, uint32_t segment_id);
/// The rowset id in such a name; empty when it is not one.
std::string rowset_of_file_name(const std::string& file_name);

}  // namespace thetis
