// SPDX-License-Identifier: Apache-2.0
#include "storage/compaction/compaction.h"

#include "storage/compaction/output_writer.h"
#include "storage/merge/merged_columns.h"
#include "storage/merge/row_merger.h"
#include "storage/segment/delete_pruning.h"
#include "storage/tablet/scan_columns.h"

namespace thetis {

namespace {

constexpr uint32_t kStretchRows = 32 * 1024;
/// Rows of one output segment are numbered in memory while it is written.
constexpr uint64_t kMaxSegmentRows = 16 << 20;

MergeKind merge_kind(const TabletSchema& schema) {
    if (schema.keys_model() == KeysModel::kAggregate) {
        return MergeKind::kAggregate;
    }
    return schema.keys_model() == KeysModel::kUnique && !schema.is_merge_on_write()
               ? MergeKind::kLatest
               : MergeKind::kAll;
}

std::shared_ptr<const SegmentScan> scan_for(const CompactionTask& task) {
    auto scan = std::make_shared<SegmentScan>();
    scan->version_id = task.schema->version_id();
    // What a compaction reads once must not drive out what queries read again.
    scan->use_page_cache = false;
    std::vector<TabletSchemaPtr> schemas{task.schema};
    for (const RowsetPtr& input : task.inputs) {
        if (input->meta().is_delete() && input->meta().schema != nullptr) {
            schemas.push_back(input->meta().schema);
        }
    }
    // Conditions may name columns that the table has dropped since.
    for (const TabletSchemaPtr& schema : schemas) {
        for (const SchemaColumn& column : schema->columns()) {
            const bool is_known = std::any_of(
                scan->other_columns.begin(),
                scan->other_columns.end(),
                [&](const ScanColumn& known) { return known.unique_id == column.unique_id; }
            );
            if (!is_known) {
                scan->other_columns.push_back(scan_column(column));
            }
        }
    }
    return scan;
}

/// The sorted runs of the inputs as readers of the last version see them, oldest first.
Result<std::vector<MergeRun>> collect_runs(const CompactionTask& task, RowPositions& positions) {
    const int64_t version = task.inputs.back()->end_version();
    std::vector<DeleteFilterPtr> later_deletes;
    std::vector<std::vector<MergeRun>> by_rowset(task.inputs.size());
    for (size_t i = task.inputs.size(); i-- > 0;) {
        const RowsetPtr& input = task.inputs[i];
        if (input->meta().is_delete()) {
            if (task.inputs.front()->start_version() > 0) {
                return Status::error(
                    ErrorCode::kInternal,
                    "A condition of version {} meets a compaction from version {}",
                    input->end_version(),
                    task.inputs.front()->start_version()
                );
            }
            ASSIGN_OR_RETURN(auto filter, input->delete_filter());
            later_deletes.push_back(std::move(filter));
            continue;
        }
        ASSIGN_OR_RETURN(const auto segments, input->segments());
        for (size_t k = 0; k < segments.size(); ++k) {
            MergeRun run;
            run.source.segment = segments[k];
            run.source.deletes = later_deletes;
            if (task.schema->is_merge_on_write()) {
                run.source.deleted =
                    input->delete_bitmap().at(input->meta().segments[k].id, version);
            }
            if (task.schema->version_id().has_value() &&
                input->start_version() == input->end_version()) {
                run.source.version = input->start_version();
            }
            run.rows = {0, segments[k]->num_rows()};
            ASSIGN_OR_RETURN(
                const bool leaves, prune_deletes(run.source, task.schema->version_id())
            );
            if (!leaves) {
                continue;  // A DELETE took all of it.
            }
            by_rowset[i].push_back(std::move(run));
        }
    }
    std::vector<MergeRun> runs;
    for (size_t i = 0; i < by_rowset.size(); ++i) {
        const RowsetMeta& meta = task.inputs[i]->meta();
        for (size_t k = 0; k < by_rowset[i].size(); ++k) {
            if (task.schema->is_merge_on_write()) {
                positions.add_segment(
                    meta.rowset_id, meta.segments[k].id, by_rowset[i][k].rows.end
                );
            }
            runs.push_back(std::move(by_rowset[i][k]));
        }
    }
    return runs;
}

/// Gives merged rows a stretch at a time: from a merge by key, or one run after another where there
/// are no keys.
class RowSource {
public:
    RowSource(
        const CompactionTask& task,
        std::shared_ptr<const SegmentScan> scan,
        const std::vector<MergeRun>& runs
    )
        : task_(task), scan_(std::move(scan)), runs_(runs) {}

    Status open() {
        if (task_.schema->num_key_columns() > 0) {
            ASSIGN_OR_RETURN(
                merger_, RowMerger::open(*task_.schema, *scan_, runs_, merge_kind(*task_.schema))
            );
        }
        return {};
    }

    Result<bool> next(MergedRows& rows) {
        return merger_ != nullptr ? merger_->next(kStretchRows, rows) : next_in_order(rows);
    }

private:
    Result<bool> next_in_order(MergedRows& rows) {
        rows.clear();
        Batch batch;
        std::vector<uint32_t> numbers;
        while (rows.size() < kStretchRows && run_ < runs_.size()) {
            if (iterator_ == nullptr) {
                ASSIGN_OR_RETURN(
                    iterator_, SegmentIterator::open(scan_, runs_[run_].source, runs_[run_].rows)
                );
            }
            ASSIGN_OR_RETURN(const bool more, iterator_->next(batch, numbers));
            if (!more) {
                iterator_.reset();
                ++run_;
                continue;
            }
            rows.runs.insert(rows.runs.end(), numbers.size(), static_cast<uint32_t>(run_));
            rows.rows.insert(rows.rows.end(), numbers.begin(), numbers.end());
        }
        return rows.size() > 0;
    }

    const CompactionTask& task_;
    const std::shared_ptr<const SegmentScan> scan_;
    const std::vector<MergeRun>& runs_;
    std::unique_ptr<RowMerger> merger_;
    std::unique_ptr<SegmentIterator> iterator_;
    size_t run_ = 0;
};

/// Leaves out rows whose delete sign is set: from version 0 on there is nothing left for them to
/// hide. Where sequences decide only those without one, which any later row of the key replaces:
/// the others also hide rows that come later with a smaller sequence, by loads that need not even
/// have begun. Without them such a row would show on the replicas that were compacted before it
/// came and on no other.
class SignFilter {
public:
    SignFilter(
        const CompactionTask& task, const SegmentScan& scan, const std::vector<MergeRun>& runs
    )
        : columns_(scan, runs),
          is_active_(
              task.schema->delete_sign_id().has_value() && !task.keeps_delete_signs &&
              task.inputs.front()->start_version() == 0
          ) {}

    Status prepare(const TabletSchema& schema) {
        if (!is_active_) {
            return {};
        }
        ASSIGN_OR_RETURN(const auto sign, find_scan_column(schema, *schema.delete_sign_id()));
        RETURN_IF_ERROR(columns_.add(sign, {}).status());
        has_sequence_ = schema.sequence_id().has_value();
        if (has_sequence_) {
            ASSIGN_OR_RETURN(const auto sequence, find_scan_column(schema, *schema.sequence_id()));
            RETURN_IF_ERROR(columns_.add(sequence, {}).status());
        }
        return {};
    }

    Status apply(MergedRows& rows) {
        if (!is_active_) {
            return {};
        }
        columns_.start(rows);
        ASSIGN_OR_RETURN(const ColumnPtr signs, columns_.read(0, 0, rows.size()));
        ColumnPtr sequences;
        if (has_sequence_) {
            ASSIGN_OR_RETURN(sequences, columns_.read(1, 0, rows.size()));
        }
        const ColumnView<int8_t> values(*signs);
        uint32_t kept = 0;
        for (uint32_t i = 0; i < rows.size(); ++i) {
            rows.runs[kept] = rows.runs[i];
            rows.rows[kept] = rows.rows[i];
            const bool hides_later = has_sequence_ && !sequences->is_null(i);
            kept += values[i] == 0 || hides_later ? 1 : 0;
        }
        rows.runs.resize(kept);
        rows.rows.resize(kept);
        return {};
    }

private:
    MergedColumns columns_;
    const bool is_active_;
    bool has_sequence_ = false;
};

uint64_t rows_per_segment(const CompactionTask& task) {
    int64_t bytes = 0;
    int64_t rows = 0;
    for (const RowsetPtr& input : task.inputs) {
        bytes += input->meta().data_size_bytes;
        rows += input->meta().num_rows;
    }
    const auto wanted =
        rows == 0 ? kMaxSegmentRows
                  : static_cast<uint64_t>(
                        static_cast<double>(task.max_segment_bytes) * static_cast<double>(rows) /
                        static_cast<double>(std::max<int64_t>(bytes, 1))
                    );
    return std::clamp<uint64_t>(wanted, kMaxBatchRows, kMaxSegmentRows);
}

RowsetMeta describe_output(const CompactionTask& task, std::vector<SegmentFile> segments) {
    RowsetMeta meta;
    meta.rowset_id = task.rowset_id;
    meta.tablet_id = task.inputs.front()->meta().tablet_id;
    meta.is_visible = true;
    meta.start_version = task.inputs.front()->start_version();
    meta.end_version = task.inputs.back()->end_version();
    meta.segments = std::move(segments);
    for (const SegmentFile& segment : meta.segments) {
        meta.num_rows += static_cast<int64_t>(segment.num_rows);
        meta.data_size_bytes += static_cast<int64_t>(segment.size_bytes);
    }
    return meta;
}

}  // namespace

Result<CompactionResult> compact_rowsets(const CompactionTask& task) {
    MemoryScope scope(task.memory);
    CompactionResult result;
    const auto scan = scan_for(task);
    ASSIGN_OR_RETURN(const std::vector<MergeRun> runs, collect_runs(task, result.positions));
    OutputWriter writer(task, scan, runs);
    RowSource source(task, scan, runs);
    RETURN_IF_ERROR(source.open());
    SignFilter signs(task, *scan, runs);
    RETURN_IF_ERROR(signs.prepare(*task.schema));
    const uint64_t segment_rows = rows_per_segment(task);
    std::vector<MergedRows> stretches;
    uint64_t num_rows = 0;  // Of the stretches that wait to be written.
    uint32_t output_row = 0;
    for (bool more = true; more;) {
        if (task.is_cancelled()) {
            return Status::error(ErrorCode::kCancelled, "Compaction was stopped");
        }
        MergedRows stretch;
        ASSIGN_OR_RETURN(more, source.next(stretch));
        if (more) {
            RETURN_IF_ERROR(signs.apply(stretch));
            for (uint32_t i = 0; !result.positions.empty() && i < stretch.size(); ++i) {
                result.positions.place(stretch.runs[i], stretch.rows[i], output_row++);
            }
            num_rows += stretch.num_groups();
            stretches.push_back(std::move(stretch));
        }
        if (!stretches.empty() && (!more || num_rows >= segment_rows)) {
            RETURN_IF_ERROR(writer.write(stretches));
            stretches.clear();
            num_rows = 0;
        }
    }
    ASSIGN_OR_RETURN(auto segments, writer.finish());
    result.meta = describe_output(task, std::move(segments));
    int64_t rows_before = 0;
    bool keeps_all = task.schema->keys_model() == KeysModel::kDuplicate;
    for (const RowsetPtr& input : task.inputs) {
        rows_before += input->meta().num_rows;
        keeps_all &= !input->meta().is_delete();
    }
    if (result.meta.num_rows > rows_before || (keeps_all && result.meta.num_rows != rows_before)) {
        return Status::error(
            ErrorCode::kInternal,
            "Compaction of tablet {} wrote {} of {} rows",
            result.meta.tablet_id,
            result.meta.num_rows,
            rows_before
        );
    }
    writer.keep_files();
    return result;
}

int64_t estimate_compaction_memory(const CompactionTask& task) {
    int64_t num_runs = 0;
    int64_t bytes = 0;
    int64_t num_rows = 0;
    for (const RowsetPtr& input : task.inputs) {
        num_runs += static_cast<int64_t>(input->meta().segments.size());
        bytes += input->meta().data_size_bytes;
        num_rows += input->meta().num_rows;
    }
    constexpr int64_t kPageBytes = 128 * 1024;
    constexpr int64_t kBytesPerRow = 8;  // Run and row number.
    const auto pages =
        num_runs * kPageBytes *
        static_cast<int64_t>(task.columns_per_group + task.schema->num_key_columns());
    return std::min(bytes * 4, pages + task.page_memory_bytes) +
           kBytesPerRow * std::min<int64_t>(num_rows, kMaxSegmentRows) +
           (task.schema->is_merge_on_write() ? 4 * num_rows : 0) +
           std::min(bytes, task.max_segment_bytes);
}

}  // namespace thetis
