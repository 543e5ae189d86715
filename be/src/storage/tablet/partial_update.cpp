// SPDX-License-Identifier: Apache-2.0
#include "storage/tablet/partial_update.h"

#include <algorithm>
#include <numeric>
#include <roaring/roaring.hh>

#include "storage/memtable/memtable.h"
#include "storage/segment/column_reader.h"
#include "storage/tablet/key_search.h"
#include "storage/tablet/old_rows.h"
#include "storage/tablet/scan_columns.h"

namespace thetis {

namespace {

/// Rows of one segment of the load whose keys were written since.
Result<std::vector<uint32_t>> find_changed(
    const RowsetPtr& load,
    const SegmentFile& file,
    const std::shared_ptr<const Segment>& segment,
    std::span<const RowsetPtr> changed,
    const LoadMarks& marks
) {
    std::vector<uint32_t> rows;
    ASSIGN_OR_RETURN(
        KeySearch search, KeySearch::open(changed, INT64_MAX, file.min_key, file.max_key)
    );
    if (search.empty() || file.num_rows == 0) {
        return rows;
    }
    ASSIGN_OR_RETURN(PrimaryKeyReader keys, PrimaryKeyReader::open(segment));
    RETURN_IF_ERROR(keys.seek_to_first());
    while (keys.valid()) {
        // Whether the row that is there is live does not matter: the key was written.
        ASSIGN_OR_RETURN(const int found, search.find(keys.key(), [](size_t, uint32_t) {
            return true;
        }));
        if (found >= 0 && !marks.is_marked(load, file.id, keys.row())) {
            rows.push_back(keys.row());
        }
        RETURN_IF_ERROR(keys.next());
    }
    return rows;
}

/// Puts what the load sent of those rows into the memtable.
Status append_rows(
    const WriteLayout& layout,
    const std::shared_ptr<const Segment>& segment,
    std::span<const uint32_t> rows,
    Memtable& memtable
) {
    std::vector<std::unique_ptr<ColumnReader>> readers;
    for (const size_t position : layout.input()) {
        const SchemaColumn& column = layout.schema()->columns()[position];
        ASSIGN_OR_RETURN(
            readers.emplace_back(),
            ColumnReader::open(SegmentSource{.segment = segment}, scan_column(column), std::nullopt)
        );
    }
    for (size_t begin = 0; begin < rows.size();) {
        Selection window;
        const uint32_t first = rows[begin];
        while (begin < rows.size() && rows[begin] - first < kMaxBatchRows) {
            window.push_back(static_cast<uint16_t>(rows[begin++] - first));
        }
        Batch batch;
        batch.num_rows = static_cast<uint32_t>(window.size());
        for (const auto& reader : readers) {
            ASSIGN_OR_RETURN(batch.columns.emplace_back(), reader->read(first, window));
        }
        Selection all(batch.num_rows);
        std::iota(all.begin(), all.end(), uint16_t{0});
        RETURN_IF_ERROR(memtable.append(batch, all));
    }
    return {};
}

Result<OldRows> find_old_rows(
    const SortedRows& rows, std::span<const RowsetPtr> rowsets, int64_t version
) {
    const TabletSchemaPtr& schema = rows.layout().schema();
    std::vector<ColumnPtr> keys;
    for (size_t i = 0; i < schema->num_key_columns(); ++i) {
        keys.push_back(rows.part(i, 0, rows.num_rows()));
    }
    return OldRows::find(schema, rowsets, version, keys);
}

/// Whether a row of a new key can be made.
Result<bool> may_insert(const WriteLayout& layout, std::span<const NewValue> new_values) {
    for (const size_t position : layout.absent()) {
        ASSIGN_OR_RETURN(
            const ColumnPtr value,
            OldRows::new_value_of(layout.schema()->columns()[position], new_values)
        );
        if (value == nullptr) {
            return false;
        }
    }
    return true;
}

}  // namespace

Result<std::vector<uint32_t>> fill_from_old_rows(
    SortedRows& rows,
    std::span<const RowsetPtr> rowsets,
    int64_t version,
    MissingKeys missing,
    std::span<const NewValue> new_values
) {
    const WriteLayout& layout = rows.layout();
    const TabletSchema& schema = *layout.schema();
    std::vector<size_t> wanted;
    for (const size_t position : layout.absent()) {
        // A row that is written is there, whatever the old one was.
        if (schema.columns()[position].unique_id != schema.delete_sign_id()) {
            wanted.push_back(position);
        }
    }
    ASSIGN_OR_RETURN(OldRows old, find_old_rows(rows, rowsets, version));
    std::vector<uint32_t> missing_rows;
    if (old.num_missing() > 0) {
        std::vector<uint32_t> kept;
        for (uint32_t row = 0; row < rows.num_rows(); ++row) {
            (old.is_missing(row) ? missing_rows : kept).push_back(row);
        }
        if (missing == MissingKeys::kDrop) {
            rows.keep(kept);
            if (kept.empty()) {
                return missing_rows;
            }
            ASSIGN_OR_RETURN(old, find_old_rows(rows, rowsets, version));
        }
    }
    ASSIGN_OR_RETURN(
        std::vector<ColumnPtr> columns, old.read(wanted, new_values, missing == MissingKeys::kKeep)
    );
    for (size_t i = 0; i < wanted.size(); ++i) {
        rows.set_ordered(wanted[i], std::move(columns[i]));
    }
    return missing_rows;
}

Result<std::optional<RowsetMeta>> recompute_changed_rows(
    const TabletSchemaPtr& schema,
    const RowsetPtr& load,
    std::span<const RowsetPtr> rowsets,
    const FurtherSegment& output,
    LoadMarks& marks
) {
    RowsetMeta meta = load->meta();
    std::vector<RowsetPtr> changed;
    for (const RowsetPtr& rowset : rowsets) {
        if (rowset->end_version() > meta.partial_update->base_version) {
            changed.push_back(rowset);
        }
    }
    if (meta.segments.empty()) {
        return std::optional<RowsetMeta>();
    }
    std::vector<int32_t> sent = meta.partial_update->column_unique_ids;
    std::erase_if(sent, [&](int32_t id) { return !schema->find_column(id).has_value(); });
    ASSIGN_OR_RETURN(const auto layout, WriteLayout::for_load(schema, sent));
    Memtable memtable(layout);
    ASSIGN_OR_RETURN(const auto segments, load->segments());
    for (size_t i = 0; i < segments.size(); ++i) {
        const SegmentFile& file = meta.segments[i];
        ASSIGN_OR_RETURN(
            const std::vector<uint32_t> rows, find_changed(load, file, segments[i], changed, marks)
        );
        RETURN_IF_ERROR(append_rows(*layout, segments[i], rows, memtable));
        for (const uint32_t row : rows) {
            marks.mark(load, file.id, row);
        }
    }
    for (const auto& [segment_id, rows] : meta.partial_update->missing) {
        marks.mark(load, segment_id, *rows);
    }
    if (memtable.num_rows() == 0) {
        return std::optional<RowsetMeta>();
    }
    ASSIGN_OR_RETURN(SortedRows rows, memtable.take_sorted());
    // A load whose keys were not there failed on that already: these were deleted meanwhile.
    const std::vector<NewValue>& new_values = meta.partial_update->new_values;
    ASSIGN_OR_RETURN(const bool is_insert_possible, may_insert(*layout, new_values));
    const MissingKeys missing = meta.partial_update->existing_only || !is_insert_possible
                                    ? MissingKeys::kDrop
                                    : MissingKeys::kInsert;
    RETURN_IF_ERROR(fill_from_old_rows(rows, rowsets, INT64_MAX, missing, new_values).status());
    if (rows.num_rows() == 0) {
        return std::optional<RowsetMeta>(std::move(meta));
    }
    RETURN_IF_ERROR(rows.complete());
    const uint32_t id = meta.segments.back().id + 1;
    const std::string path = output.directory + "/" + segment_file_name(meta.rowset_id, id);
    ASSIGN_OR_RETURN(SegmentFile file, rows.write(*output.fs, path, output.sync));
    if (output.sync) {
        RETURN_IF_ERROR(output.fs->sync_directory(output.directory));
    }
    file.id = id;
    meta.num_rows += static_cast<int64_t>(file.num_rows);
    meta.data_size_bytes += static_cast<int64_t>(file.size_bytes);
    meta.is_overlapping = true;
    meta.segments.push_back(std::move(file));
    return std::optional<RowsetMeta>(std::move(meta));
}

}  // namespace thetis
