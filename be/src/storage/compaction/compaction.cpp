// SPDX-License-Identifier: Apache-2.0
#include "storage/compaction/compaction.h"

#include <numeric>

#include "storage/fault.h"
#include "storage/memtable/memtable.h"
#include "storage/segment/segment_iterator.h"
#include "storage/tablet/scan_columns.h"

namespace thetis {

namespace {

/// Collects rows and writes a segment whenever a buffer is full. Removes its files unless told to
/// keep them.
class RowsetRewriter {
public:
    RowsetRewriter(TabletSchemaPtr schema, const CompactionOutput& output)
        : schema_(std::move(schema)), output_(output) {}

    ~RowsetRewriter() {
        for (uint32_t id = 0; !keeps_files_ && id < next_segment_; ++id) {
            // What cannot be removed now is removed at the next start: no metadata names it.
            static_cast<void>(output_.fs->remove(path_of(id)).ok());
        }
    }

    RowsetRewriter(const RowsetRewriter&) = delete;
    RowsetRewriter& operator=(const RowsetRewriter&) = delete;

    Status append(const Batch& batch) {
        if (memtable_ == nullptr) {
            memtable_ = std::make_unique<Memtable>(schema_);
        }
        Selection rows(batch.num_rows);
        std::iota(rows.begin(), rows.end(), uint16_t{0});
        RETURN_IF_ERROR(memtable_->append(batch, rows));
        return memtable_->memory_bytes() >= static_cast<size_t>(output_.write_buffer_bytes)
                   ? flush()
                   : Status();
    }

    Result<std::vector<SegmentFile>> finish() {
        RETURN_IF_ERROR(flush());
        if (output_.sync_files && !segments_.empty()) {
            RETURN_IF_ERROR(output_.fs->sync_directory(output_.directory));
        }
        return segments_;
    }

    void keep_files() { keeps_files_ = true; }

private:
    std::string path_of(uint32_t segment_id) const {
        return output_.directory + "/" + segment_file_name(output_.rowset_id, segment_id);
    }

    Status flush() {
        if (memtable_ == nullptr || memtable_->num_rows() == 0) {
            return {};
        }
        RETURN_IF_ERROR(strike(output_.debug_points, "Compaction.write"));
        const uint32_t id = next_segment_++;
        ASSIGN_OR_RETURN(
            SegmentFile file, memtable_->flush(*output_.fs, path_of(id), output_.sync_files)
        );
        file.id = id;
        segments_.push_back(file);
        memtable_ = nullptr;
        return {};
    }

    const TabletSchemaPtr schema_;
    const CompactionOutput& output_;
    std::unique_ptr<Memtable> memtable_;
    std::vector<SegmentFile> segments_;
    uint32_t next_segment_ = 0;
    bool keeps_files_ = false;
};

Status copy_segment(
    const std::shared_ptr<const SegmentScan>& scan,
    const std::shared_ptr<const Segment>& segment,
    const CompactionOutput& output,
    RowsetRewriter& rewriter
) {
    ASSIGN_OR_RETURN(auto rows, SegmentIterator::open(scan, segment, {0, segment->num_rows()}));
    Batch batch;
    for (;;) {
        if (output.is_cancelled()) {
            return Status::error(ErrorCode::kCancelled, "Compaction was stopped");
        }
        ASSIGN_OR_RETURN(const bool more, rows->next(batch));
        if (!more) {
            return {};
        }
        RETURN_IF_ERROR(rewriter.append(batch));
    }
}

}  // namespace

Result<RowsetMeta> compact_rowsets(
    const TabletSchemaPtr& schema,
    const std::vector<RowsetPtr>& inputs,
    const CompactionOutput& output
) {
    MemoryScope scope(output.memory);
    const auto scan = full_scan(*schema);
    RowsetRewriter rewriter(schema, output);
    RowsetMeta meta;
    for (const RowsetPtr& input : inputs) {
        meta.num_rows += input->meta().num_rows;
        ASSIGN_OR_RETURN(const auto segments, input->segments());
        for (const auto& segment : segments) {
            RETURN_IF_ERROR(copy_segment(scan, segment, output, rewriter));
        }
    }
    ASSIGN_OR_RETURN(meta.segments, rewriter.finish());
    int64_t rows_written = 0;
    for (const SegmentFile& segment : meta.segments) {
        rows_written += static_cast<int64_t>(segment.num_rows);
        meta.data_size_bytes += static_cast<int64_t>(segment.size_bytes);
    }
    if (rows_written != meta.num_rows) {
        return Status::error(
            ErrorCode::kInternal,
            "Compaction of tablet {} wrote {} of {} rows",
            inputs.front()->meta().tablet_id,
            rows_written,
            meta.num_rows
        );
    }
    rewriter.keep_files();
    meta.rowset_id = output.rowset_id;
    meta.tablet_id = inputs.front()->meta().tablet_id;
    meta.is_visible = true;
    meta.start_version = inputs.front()->start_version();
    meta.end_version = inputs.back()->end_version();
    meta.is_overlapping = meta.segments.size() > 1;
    return meta;
}

}  // namespace thetis
