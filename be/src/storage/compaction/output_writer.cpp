// SPDX-License-Identifier: Apache-2.0
#include "storage/compaction/output_writer.h"

#include "storage.pb.h"
#include "storage/fault.h"
#include "storage/merge/merged_columns.h"
#include "storage/tablet/scan_columns.h"

namespace thetis {

OutputWriter::~OutputWriter() {
    for (uint32_t id = 0; !keeps_files_ && id < next_segment_; ++id) {
        // What cannot be removed now is found by the search for orphans: no metadata names it.
        static_cast<void>(task_.fs->remove(path_of(id)).ok());
    }
}

std::string OutputWriter::path_of(uint32_t segment_id) const {
    return task_.directory + "/" + segment_file_name(task_.rowset_id, segment_id);
}

Status OutputWriter::write(const std::vector<MergedRows>& stretches) {
    uint64_t num_rows = 0;
    for (const MergedRows& stretch : stretches) {
        num_rows += stretch.num_groups();
    }
    if (num_rows == 0) {
        return {};
    }
    RETURN_IF_ERROR(strike(task_.debug_points, "Compaction.write"));
    const uint32_t id = next_segment_++;
    ASSIGN_OR_RETURN(
        auto writer,
        SegmentWriter::create(
            *task_.fs, path_of(id), task_.schema, task_.schema->num_key_columns() > 0
        )
    );
    const size_t num_columns = task_.schema->num_columns();
    const auto open_pages = static_cast<int64_t>(runs_.size() * num_columns) * 128 * 1024;
    const size_t group = open_pages <= task_.page_memory_bytes
                             ? num_columns
                             : std::max<size_t>(1, task_.columns_per_group);
    for (size_t first = 0; first < num_columns; first += group) {
        RETURN_IF_ERROR(
            write_columns(*writer, stretches, first, std::min(group, num_columns - first))
        );
    }
    pb::SegmentMeta meta;
    RETURN_IF_ERROR(writer->finish(num_rows, task_.sync_files, meta));
    segments_.push_back(
        {.id = id,
         .num_rows = meta.num_rows(),
         .size_bytes = meta.size_bytes(),
         .min_key = meta.min_key(),
         .max_key = meta.max_key()}
    );
    return {};
}

Status OutputWriter::write_columns(
    SegmentWriter& writer,
    const std::vector<MergedRows>& stretches,
    size_t first_column,
    size_t num_columns
) {
    MergedColumns source(*scan_, runs_);
    for (size_t i = first_column; i < first_column + num_columns; ++i) {
        const SchemaColumn& column = task_.schema->columns()[i];
        RETURN_IF_ERROR(source.add(scan_column(column), column.aggregation).status());
    }
    for (const MergedRows& stretch : stretches) {
        if (task_.is_cancelled()) {
            return Status::error(ErrorCode::kCancelled, "Compaction was stopped");
        }
        source.start(stretch);
        for (size_t i = 0; i < num_columns; ++i) {
            ASSIGN_OR_RETURN(const ColumnPtr values, source.read(i, 0, stretch.num_groups()));
            RETURN_IF_ERROR(writer.append_column(first_column + i, values));
        }
    }
    for (size_t i = first_column; i < first_column + num_columns; ++i) {
        RETURN_IF_ERROR(writer.finish_column(i));
    }
    return {};
}

Result<std::vector<SegmentFile>> OutputWriter::finish() {
    if (task_.sync_files && !segments_.empty()) {
        RETURN_IF_ERROR(task_.fs->sync_directory(task_.directory));
    }
    return segments_;
}

}  // namespace thetis
